import { DurableObject } from 'cloudflare:workers'

/** A room in which everybody gets what one says. Its sockets stay open while it sleeps. */
export class Room extends DurableObject {
  fetch() {
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    return new Response(null, { status: 101, webSocket: client })
  }

  webSocketMessage(_socket, message) {
    for (const socket of this.ctx.getWebSockets()) socket.send(message)
  }
}
