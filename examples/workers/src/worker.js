import artifact from 'virtual:framework/artifact'
import 'framework/logger'
import { toFetch } from 'framework/fetch'
import shop from './app.js'

export { Room } from './room.js'

const app = shop({ aot: { artifact } })
await app.ready()

export default {
  fetch: toFetch(app),

  /** Packs what was ordered. */
  async queue({ messages }, { ORDERS }) {
    for (const { body } of messages) {
      const order = await ORDERS.get(body.id, 'json')
      await ORDERS.put(body.id, JSON.stringify({ ...order, status: 'packed' }))
      app.log.info({ order: body.id }, 'packed')
    }
  },

  /** Removes what was packed, every night. */
  async scheduled(_event, { ORDERS }) {
    const { keys } = await ORDERS.list()
    for (const { name } of keys) {
      const order = await ORDERS.get(name, 'json')
      if (order?.status === 'packed') await ORDERS.delete(name)
    }
  },
}
