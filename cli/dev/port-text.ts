/** Who listens at a port, and what to do about it, in words. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { TakenPort } from './taken-port.ts'

export function portText({ port, address }: TakenPort): string {
  const holder = holderOf(port)
  const by = holder === undefined ? 'another program' : holder
  return `port ${port} of ${address} is taken by ${by}. \`--port ${port + 1}\` sets PORT for the application`
}

/** The process that listens, as far as the system lets us look: Linux alone tells it without another program. */
function holderOf(port: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listeningAt(port, table)))
  if (sockets.size === 0) return undefined
  const id = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => linksIn(`/proc/${name}/fd`).some((link) => sockets.has(link)))
  if (id === undefined) return undefined
  const command = textOf(`/proc/${id}/cmdline`).replaceAll('\0', ' ').trim()
  return `process ${id} (${command.length > 60 ? `${command.slice(0, 59)}…` : command})`
}

/** The sockets that listen, as links to them are called. */
function listeningAt(port: number, table: string): readonly string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return textOf(`/proc/net/${table}`)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(`:${hex}`) && state === LISTENS)
    .map((cells) => `socket:[${cells[9]}]`)
}

const LISTENS = '0A'

function linksIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => readlinkSync(`${folder}/${name}`))
  } catch {
    // Somebody else's process, or one that has ended.
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It has ended, or there is no IPv6.
    return ''
  }
}
