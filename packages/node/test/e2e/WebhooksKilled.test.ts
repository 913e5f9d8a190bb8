import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { KinoraProcess, until } from "../support/KinoraProcess.ts"

interface Sent {
  readonly id: string
  readonly type: string
  readonly data: { readonly user: { readonly username: string } }
}

describe("a node that is killed while it sends to a webhook", { timeout: 300_000 }, () => {
  let node: KinoraProcess
  let receiver: Server
  let answers = false
  const sent: Array<Sent> = []

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        sent.push(JSON.parse(Buffer.concat(chunks).toString()) as Sent)
        if (answers) response.writeHead(204).end()
      })
    })
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done))
    node = await KinoraProcess.create({ KINORA_WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: "true" })
    await node.start()
  })
  afterAll(async () => {
    await node.remove()
    receiver.close()
    receiver.closeAllConnections()
  })

  it("loses nothing: every message arrives once it runs again", async () => {
    const auth = { ...(await node.login()), "content-type": "application/json" }
    const post = async (path: string, body: unknown) => {
      const answer = await fetch(node.url + path, { method: "POST", headers: auth, body: JSON.stringify(body) })
      expect(answer.status, await answer.clone().text()).toBe(200)
      return (await answer.json()) as Record<string, { readonly id: number }>
    }
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const { webhook } = await post("/api/v1/server/webhooks", { url, events: ["user.created"] })
    const names = Array.from({ length: 12 }, (_, i) => `user_${i}`)
    for (const username of names) {
      const user = { username, password: "password1", email: `${username}@example.com`, role: 2, videoQuota: -1 }
      await post("/api/v1/users", { ...user, videoQuotaDaily: -1 })
    }
    // The receiver has read the first and says nothing: the node dies with the answer open.
    await until("the first message", 60, async () => (sent.length > 0 ? true : undefined))
    await node.stop("SIGKILL")
    answers = true
    await node.start()
    // Its lease has to run out.
    await until("all messages", 150, async () =>
      names.every((name) => sent.some((it) => it.data.user.username === name)) ? true : undefined
    )
    const first = sent[0]!
    expect(sent.filter(({ id }) => id === first.id).length).toBeGreaterThan(1)
    expect(new Set(sent.map(({ id }) => id)).size).toBe(names.length)
    const log = await until("the log", 60, async () => {
      const found = await node.json<{ data: ReadonlyArray<{ state: string }> }>(
        `/api/v1/server/webhooks/${webhook!.id}/deliveries`,
        await node.login()
      )
      return found.data.every(({ state }) => state === "delivered") ? found : undefined
    })
    expect(log.data.length).toBe(names.length)
  })
})
