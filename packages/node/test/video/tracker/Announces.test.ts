import { assert, layer } from "@effect/vitest"
import bencode from "bencode"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { baseUrl } from "../../instance/about/TestNode.ts"
import { newPeerId, percent, sharedVideo, trackerNode } from "./TrackerNode.ts"

interface Reply {
  readonly status: number
  readonly type: string | null
  readonly bytes: Buffer
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are compared field by field
  readonly value: any
}

const request = async (url: string, headers: Record<string, string>): Promise<Reply> => {
  const response = await fetch(url, { headers })
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get("content-type")
  return { status: response.status, type, bytes, value: type === "text/plain" ? bencode.decode(bytes) : undefined }
}

const ask = (path: string, headers: Record<string, string> = {}) =>
  Effect.flatMap(baseUrl, (base) => Effect.promise(() => request(base + path, headers)))

const announce = (
  infoHash: string,
  more: string = "&port=6881",
  headers: Record<string, string> = {},
  peerId: string = newPeerId()
) => ask(`/tracker/announce?info_hash=${percent(infoHash)}&peer_id=${percent(peerId)}${more}`, headers)

const peersOf = ({ value }: Reply): ReadonlyArray<string> => {
  const packed = Buffer.from(value.peers)
  return Array.from({ length: packed.length / 6 }, (_, i) => {
    const peer = packed.subarray(i * 6, i * 6 + 6)
    return `${peer.subarray(0, 4).join(".")}:${peer.readUInt16BE(4)}`
  }).toSorted()
}

const reason = ({ value }: Reply): string => Buffer.from(value["failure reason"] ?? "").toString()

layer(trackerNode(), { excludeTestServices: true })("The tracker over HTTP", (it) => {
  it.effect("tells peers of each other, whatever address they claim", () =>
    Effect.gen(function* () {
      const { hls, web } = yield* sharedVideo()
      const first = yield* announce(web, "&port=6881&left=0&event=started")
      assert.deepStrictEqual([first.status, first.type], [200, "text/plain"])
      assert.deepStrictEqual([first.value.complete, first.value.incomplete], [1, 0])
      const proxied = { "x-forwarded-for": "203.0.113.7" }
      yield* announce(web, "&port=7000&left=5&ip=198.51.100.1&event=started&compact=0", proxied)
      yield* announce(web, "&port=7001&left=5&event=started", { "x-forwarded-for": "198.51.100.9, 2001:db8::7" })
      const last = yield* announce(web, "&port=7002&left=5&numwant=80")
      assert.deepStrictEqual(peersOf(last), ["127.0.0.1:6881", "127.0.0.1:7002", "203.0.113.7:7000"])
      assert.strictEqual(Buffer.from(last.value.peers6).toString("hex"), `20010db8${"0".repeat(23)}71b59`)
      assert.strictEqual((yield* announce(hls, "&port=6881")).value.incomplete, 1)
      const none = yield* announce(web, "&port=7002&numwant=0")
      assert.strictEqual(none.value.peers.length, 0)
      const gone = yield* announce(web, "&port=7002&event=stopped")
      assert.notInclude(peersOf(gone), "127.0.0.1:7002")
    })
  )

  it.effect("knows only torrents of videos that are for everybody", () =>
    Effect.gen(function* () {
      const strangers = [
        "ab".repeat(20),
        ...(yield* Effect.forEach([{ privacy: 3 }, { privacy: 4 }, { privacy: 5 }, { blacklisted: true }], (options) =>
          Effect.map(sharedVideo(options), ({ web }) => web)
        ))
      ]
      for (const infoHash of strangers) {
        const answer = yield* announce(infoHash)
        assert.deepStrictEqual([answer.status, reason(answer)], [200, "this torrent is not tracked here"])
      }
      const unlisted = yield* sharedVideo({ privacy: 2 })
      assert.strictEqual(reason(yield* announce(unlisted.web)), "")
      const scrape = yield* ask(
        `/tracker/scrape?${[...strangers, unlisted.web].map((hash) => `info_hash=${percent(hash)}`).join("&")}`
      )
      assert.strictEqual(scrape.status, 200)
      const figures = Buffer.concat([
        Buffer.from("d5:filesd20:"),
        Buffer.from(unlisted.web, "hex"),
        Buffer.from("d8:completei0e10:downloadedi0e10:incompletei1eee5:flagsd20:min_request_intervali600eee")
      ])
      assert.strictEqual(scrape.bytes.toString("latin1"), figures.toString("latin1"))
    })
  )

  it.effect("forgets the swarm of a video that turns private", () =>
    Effect.gen(function* () {
      const { id, web } = yield* sharedVideo()
      assert.strictEqual(reason(yield* announce(web)), "")
      const sql = yield* SqlClient
      yield* sql`update video set privacy = 3 where id = ${id}`
      const refused = yield* announce(web).pipe(
        Effect.repeat({ until: (answer) => reason(answer) !== "", schedule: Schedule.spaced("100 millis") }),
        Effect.timeout("20 seconds")
      )
      assert.strictEqual(reason(refused), "this torrent is not tracked here")
    })
  )

  it.effect("refuses what is no announce, and goes on (ZIP-10)", () =>
    Effect.gen(function* () {
      const { web } = yield* sharedVideo()
      const hash = percent(web)
      const peer = percent(newPeerId())
      const bad: ReadonlyArray<readonly [string, string]> = [
        ["", "invalid info_hash"],
        ["?", "invalid info_hash"],
        [`?info_hash=${web}&peer_id=${peer}&port=1`, "invalid info_hash"],
        [`?info_hash=${hash}%00&peer_id=${peer}&port=1`, "invalid info_hash"],
        [`?info_hash=__proto__&peer_id=${peer}&port=1`, "invalid info_hash"],
        [`?info_hash=${hash}&peer_id=x&port=1`, "invalid peer_id"],
        [`?info_hash=${hash}&peer_id=${peer}`, "invalid port"],
        [`?info_hash=${hash}&peer_id=${peer}&port=0`, "invalid port"],
        [`?info_hash=${hash}&peer_id=${peer}&port=65536`, "invalid port"],
        [`?info_hash=${hash}&peer_id=${peer}&port=1e3`, "invalid port"],
        [`?info_hash=${hash}&peer_id=${peer}&port=80&event=explode`, "invalid event"]
      ]
      for (const [query, expected] of bad) {
        assert.strictEqual(reason(yield* ask(`/tracker/announce${query}`)), expected, query)
      }
      // Members the library would take for its own, and numbers that are none.
      const odd = "&port=9999&socket=1&type=ws&offers=x&numwant=-5&left=NaN&compact=[]&info_hash=zz&event="
      for (const event of ["started", "completed", "paused", "stopped", "stopped", ""]) {
        assert.strictEqual(reason(yield* announce(web, odd + event)), "", event)
      }
      for (const numwant of ["1e9", "99999999999999999999", "abc", "-1"]) {
        assert.strictEqual(reason(yield* announce(web, `&port=5&numwant=${numwant}`)), "", numwant)
      }
      assert.strictEqual(reason(yield* ask("/tracker/scrape")), "info_hash is missing")
      assert.strictEqual(reason(yield* ask("/tracker/scrape?info_hash=abc")), "invalid info_hash")
      const many = `/tracker/scrape?${`info_hash=${hash}&`.repeat(100)}`
      assert.strictEqual(reason(yield* ask(many)), "too many info_hash")
      assert.strictEqual((yield* ask("/tracker/socket")).status, 426)
    })
  )

  it.effect("lets no client fill a swarm with ports of its own, nor flood", () =>
    Effect.gen(function* () {
      const { web } = yield* sharedVideo()
      const from = (address: string) => ({ "x-forwarded-for": address })
      const flooder = from("192.0.2.66")
      const reasons = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, i) => i + 1),
        (port) => Effect.map(announce(web, `&port=${port}&event=started`, flooder), reason)
      )
      assert.strictEqual(reasons.filter((text) => text === "").length, 16)
      assert.strictEqual(reasons.at(-1), "too many announces")
      assert.strictEqual(reason(yield* announce(web, "&port=3", flooder)), "", "a port it had is still its own")
      assert.strictEqual(reason(yield* announce(web, "&port=3", from("192.0.2.67"))), "")
      const statuses = yield* Effect.forEach(
        Array.from({ length: 300 }),
        () => Effect.map(ask("/tracker/scrape", flooder), ({ status }) => status),
        { concurrency: 10 }
      )
      assert.isAbove(statuses.filter((status) => status === 429).length, 30)
      assert.strictEqual((yield* ask("/tracker/scrape", from("192.0.2.67"))).status, 200)
    })
  )
})

layer(trackerNode({ tracker: { enabled: false } }), { excludeTestServices: true })("Without a tracker", (it) => {
  it.effect("its addresses are not there, and its web socket is forbidden", () =>
    Effect.gen(function* () {
      const { web } = yield* sharedVideo()
      assert.strictEqual((yield* announce(web)).status, 404)
      assert.strictEqual((yield* ask(`/tracker/scrape?info_hash=${percent(web)}`)).status, 404)
      assert.strictEqual((yield* ask("/tracker/socket")).status, 403)
    })
  )
})

const open = trackerNode({ tracker: { private: false, reject_too_many_announces: true } })

layer(open, { excludeTestServices: true })("A tracker for any torrent", (it) => {
  it.effect("still refuses those of closed videos, and who announces too often", () =>
    Effect.gen(function* () {
      const unknown = "cd".repeat(20)
      assert.strictEqual(reason(yield* announce(unknown)), "")
      const secret = yield* sharedVideo({ privacy: 3 })
      assert.strictEqual(reason(yield* announce(secret.hls)), "this torrent is not tracked here")
      const reasons = yield* Effect.forEach(Array.from({ length: 15 }), () => Effect.map(announce(unknown), reason))
      assert.deepStrictEqual([reasons[0], reasons.at(-1)], ["", "too many announces"])
    })
  )
})
