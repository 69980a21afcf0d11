import { createScheduledController, env, SELF } from 'cloudflare:test'
import { expect, test, vi } from 'vitest'
import worker from '../src/worker.js'

const post = (body) =>
  SELF.fetch('http://localhost/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const read = (id) => SELF.fetch(`http://localhost/orders/${id}`)

test('an order is kept, packed and removed at night', async () => {
  const response = await post({ item: 'Emma', quantity: '2' })
  expect(response.status).toBe(201)
  const { id, ...order } = await response.json()
  expect(order).toEqual({ item: 'Emma', quantity: 2, status: 'ordered' })
  await vi.waitFor(async () => expect((await (await read(id)).json()).status).toBe('packed'), {
    timeout: 10_000,
    interval: 100,
  })
  await worker.scheduled(createScheduledController(), env)
  expect((await read(id)).status).toBe(404)
})

test('an invalid order is refused', async () => {
  const { message } = await (await post({ item: 'Emma', quantity: 0 })).json()
  expect(message).toBe('body/quantity must be >= 1')
})

test('everybody in a room gets what one says', async () => {
  const enter = async (room) => {
    const headers = { upgrade: 'websocket' }
    const { status, webSocket } = await SELF.fetch(`http://localhost/rooms/${room}`, { headers })
    webSocket?.accept()
    return { status, webSocket }
  }
  const [one, other] = [await enter('books'), await enter('books')]
  const heard = new Promise((resolve) => {
    other.webSocket.addEventListener('message', ({ data }) => resolve(data))
  })
  one.webSocket.send('Have you read Emma?')
  expect(await heard).toBe('Have you read Emma?')
  expect((await enter('BOOKS')).status).toBe(400)
})
