/** Frames of the WebSocket protocol (RFC 6455, section 5): those of a server are read, those of a client written. */

export const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

export interface Message {
  readonly opcode: number
  readonly payload: Buffer
}

/** Returns a frame of a client, in parts. The mask, which every such frame needs, is 0: the bytes stay as they are. */
export function toFrame(opcode: number, payload: Uint8Array): readonly [Buffer, Uint8Array] {
  const { byteLength } = payload
  const bytesOfLength = byteLength < 126 ? 0 : byteLength < 65_536 ? 2 : 8
  const head = Buffer.alloc(2 + bytesOfLength + 4)
  head[0] = 0x80 | opcode
  head[1] = 0x80 | (bytesOfLength === 0 ? byteLength : bytesOfLength === 2 ? 126 : 127)
  if (bytesOfLength === 2) head.writeUInt16BE(byteLength, 2)
  else if (bytesOfLength === 8) head.writeBigUInt64BE(BigInt(byteLength), 2)
  return [head, payload]
}

/** Returns the payload of a close frame. @param code 1005 for a frame without code */
export function toClosePayload(code: number, reason: string): Buffer {
  if (code === 1005) return Buffer.alloc(0)
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason))
  payload.writeUInt16BE(code)
  payload.write(reason, 2)
  return payload
}

/** Reads the frames of a server, whose writes may end anywhere, and joins the fragments of a message. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0)
  private opcode = 0
  private fragments: Buffer[] = []

  /** Returns the messages that are complete with these bytes. */
  read(bytes: Buffer): Message[] {
    const messages: Message[] = []
    let rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes])
    for (let end = endOfFrame(rest); end <= rest.length; end = endOfFrame(rest)) {
      const isLast = ((rest[0] as number) & 0x80) !== 0
      const opcode = (rest[0] as number) & 0x0f
      const payload = rest.subarray(startOfPayload(rest), end)
      rest = rest.subarray(end)
      // Control frames may come between the fragments of a message.
      if (opcode >= opcodes.close) {
        messages.push({ opcode, payload })
        continue
      }
      if (opcode !== 0) this.opcode = opcode
      this.fragments.push(payload)
      if (!isLast) continue
      const { fragments } = this
      this.fragments = []
      const whole = fragments.length === 1 ? payload : Buffer.concat(fragments)
      messages.push({ opcode: this.opcode, payload: whole })
    }
    this.rest = rest
    return messages
  }
}

function startOfPayload(bytes: Buffer): number {
  const length = (bytes[1] as number) & 0x7f
  return length < 126 ? 2 : length === 126 ? 4 : 10
}

/** Returns where the first frame ends. `Infinity` as long as its length isn't known. */
function endOfFrame(bytes: Buffer): number {
  if (bytes.length < 2) return Infinity
  const start = startOfPayload(bytes)
  if (bytes.length < start) return Infinity
  if (start === 2) return start + ((bytes[1] as number) & 0x7f)
  return start + (start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)))
}
