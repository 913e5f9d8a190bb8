import { afterAll, beforeAll, expect, it } from "vitest"
import { KinoraProcess } from "../support/KinoraProcess.ts"

let node: KinoraProcess
beforeAll(async () => {
  node = await KinoraProcess.create()
  await node.start()
})
afterAll(() => node.remove())

/** The first frame the tracker sends in answer to the message. */
const ask = (message: unknown) =>
  new Promise<unknown>((done, fail) => {
    const socket = new WebSocket(`${node.url.replace("http", "ws")}/tracker/socket`)
    socket.addEventListener("open", () => socket.send(JSON.stringify(message)))
    socket.addEventListener("error", () => fail(new Error(`no web socket:\n${node.output}`)))
    socket.addEventListener("message", ({ data }) => {
      done(JSON.parse(String(data)))
      socket.close()
    })
  })

it("answers announces of browsers over a web socket", async () => {
  const infoHash = "01234567890123456789"
  const answer = await ask({
    action: "announce",
    info_hash: infoHash,
    peer_id: "-WW0001-012345678901",
    numwant: 0,
    uploaded: 0,
    downloaded: 0,
    left: 1,
    event: "started"
  })
  // Nobody here shares such a torrent: the tracker has read the message and refuses it.
  expect(answer).toMatchObject({ action: "announce", info_hash: infoHash, "failure reason": expect.any(String) })
})
