import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ExternalDatabase } from "../support/ExternalDatabase.ts"
import { KinoraProcess } from "../support/KinoraProcess.ts"
import { atPeerAddress, change, peerDatabase, peerStorage, rowsOf } from "../support/PeerInstance.ts"
import { peerExtras } from "../support/PeerExtras.ts"

describe("moving in", () => {
  let source: ExternalDatabase
  let target: ExternalDatabase
  let node: KinoraProcess
  let storage: string
  beforeAll(async () => {
    source = await peerDatabase()
    await change(source, ...peerExtras)
    target = await ExternalDatabase.create()
    storage = peerStorage()
    node = await KinoraProcess.create({ ...atPeerAddress, DATABASE_URL: target.url })
  })
  afterAll(async () => {
    await node.stop()
    await source.drop()
    await target.drop()
  })

  it("runs", async () => {
    const result = await node.command(["import-peertube", "--database", source.url, "--storage", storage])
    console.error(result.out, result.err)
    expect(result.code).toBe(0)
    await node.startAsItIs()
    await node.login("user1", "password1")
    console.error(node.output.slice(-3000))
    console.error(await rowsOf(target, `select id, kind, thing_id, error from outbox_change`))
    console.error(await rowsOf(target, `select type, thing, body::text as body from activity`))
  })
})
