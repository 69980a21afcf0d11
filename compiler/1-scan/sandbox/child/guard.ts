/**
 * Closes what Node's permission model leaves open: the network up to Node 24, signals to other processes, and the ways to
 * end this one.
 *
 * It keeps what runs by mistake from doing harm. A program that looks for a way out through Node's own internals may
 * find one to the network where the permission model does not know of it.
 */
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
import os from 'node:os'
import process from 'node:process'
import trace from 'node:trace_events'
import { refusal } from './describe.ts'

const refuse = (): never => {
  throw new Error(refusal)
}

export function closeDoors(): void {
  if (!process.allowedNodeEnvironmentFlags.has('--allow-net')) closeHandles()
  closeAll(net.Socket.prototype, /^connect$/)
  closeAll(net.Server.prototype, /^listen$/)
  closeAll(net, /^_createServerHandle$/)
  closeAll(dgram, /^(?:createSocket|Socket|_createSocketHandle)$/)
  closeAll(dns, /^(?:lookup|resolve|reverse)/)
  closeAll(dns.promises, /^(?:lookup|resolve|reverse)/)
  closeAll(childProcess, /^(?:exec|fork|spawn)/)
  closeAll(process, /^(?:abort|exit|reallyExit|_?kill|_debugProcess|_debugEnd)$/)
  closeAll(os, /^setPriority$/)
  closeAll(trace, /^createTracing$/)
}

function closeAll(owner: object, names: RegExp): void {
  for (const name of Object.getOwnPropertyNames(owner)) {
    if (names.test(name) && typeof Reflect.get(owner, name) === 'function') {
      Object.defineProperty(owner, name, { value: refuse, configurable: true, writable: true })
    }
  }
}

/** Sockets stand on handles, which whoever has a socket can get at. */
function closeHandles(): void {
  const udp = dgram.createSocket('udp4')
  // The name is never looked up, so this goes nowhere; but the handle is there.
  const tcp = new net.Socket().connect({ host: 'nowhere', port: 1, lookup: () => undefined })
  for (const socket of [udp, tcp, process.stderr, new dns.Resolver()]) {
    const handle = handleOf(socket)
    if (handle !== undefined) {
      closeAll(
        Object.getPrototypeOf(handle) as object,
        /^(?:bind|connect|listen|open|send|query|getHostByAddr)/,
      )
    }
  }
  udp.close()
  tcp.destroy()
}

function handleOf(socket: object): object | undefined {
  const states = Object.getOwnPropertySymbols(socket).map((key): unknown =>
    Reflect.get(socket, key),
  )
  const holders = [socket, ...states].filter((one) => typeof one === 'object' && one !== null)
  return holders
    .flatMap((one): unknown[] => [
      Reflect.get(one as object, '_handle'),
      Reflect.get(one as object, 'handle'),
    ])
    .find((one): one is object => typeof one === 'object' && one !== null)
}
