import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { compile } from "@kinora/domain/i18n/Compile"
import { loadMessages } from "../../src/i18n/Text.ts"
import {
  errorWords,
  failureWordsOf,
  type Host,
  stateWords,
  waitingWords
} from "../../src/pages/follows/DeliveryWords.ts"

// As the build makes them.
vi.mock(import("../../src/messages/en/follows.ts"), async (original) => {
  const { messages } = await original()
  return { messages: Object.fromEntries(Object.entries(messages).map(([key, it]) => [key, compile(it)])) as never }
})

await loadMessages("follows")

const host: Host = {
  host: "videos.example",
  state: "well",
  waiting: 0,
  waitingByLane: { follows: 0, content: 0, ratings: 0, views: 0 },
  oldestWaitingAt: null,
  followers: 1,
  nextAttemptAt: null,
  failures: 0,
  failingSince: null,
  lastError: null,
  lastStatus: null,
  lastAttemptAt: null,
  lastSuccessAt: null,
  signatureForm: null
}

describe("Words about hosts", () => {
  it("tell errors plainly, and as they are where nothing is known of them", () => {
    for (const [error, text] of [
      ['https://a.example/inbox: Unreachable {"code":"ENOTFOUND"}', /leads nowhere/],
      ['https://a.example/inbox: Unreachable {"code":"CERT_HAS_EXPIRED"}', /certificate/],
      ['https://a.example/inbox: Unreachable {"code":"ERR_TLS_CERT_ALTNAME_INVALID"}', /certificate/],
      ['https://a.example/inbox: Unreachable {"code":"ECONNRESET"}', /closed/],
      ['https://a.example/inbox: Unreachable {"code":"EOTHER"}', /EOTHER/],
      ['https://a.example/inbox: TimedOut {"phase":"connect"}', /in time/],
      ['https://a.example/inbox: Refused {"what":"address","detail":"127.0.0.1"}', /may not talk to/],
      ["The inbox answered 401.", /signature.*401/],
      ["The inbox answered 503.", /down.*503/],
      ["The inbox answered 500.", /on its side/],
      ["The inbox answered 301.", /elsewhere/],
      ["The inbox answered 418.", /^It answered 418\.$/],
      ["something else: of nobody's making", /^something else: of nobody's making$/]
    ] as const) {
      assert.match(errorWords(error), text, error)
    }
  })

  it("tell states, lengths of time and what waits", () => {
    assert.strictEqual(stateWords(host), "Up to date")
    assert.strictEqual(stateWords({ state: "well", waiting: 1 }), "Delivering")
    assert.strictEqual(stateWords({ state: "unknown", waiting: 1 }), "Not tried yet")
    assert.isUndefined(waitingWords(host))
    assert.strictEqual(
      waitingWords({ waiting: 4, waitingByLane: { follows: 1, content: 2, ratings: 0, views: 1 } }),
      "1 follow or answer to one, 2 posts, changes and deletions, 1 view"
    )
    assert.isUndefined(failureWordsOf(host, 0))
    const failing = { ...host, state: "failing", failures: 1, failingSince: "1970-01-01T00:00:00.000Z" } as const
    for (const [now, words] of [
      [30_000, "less than a minute"],
      [60_000, "1 minute"],
      [3_600_000, "1 hour"],
      [40 * 3_600_000, "40 hours"],
      [3 * 86_400_000, "3 days"]
    ] as const) {
      assert.isTrue(failureWordsOf(failing, now)?.startsWith(`For ${words} (1 failure in a row)`), words)
    }
    assert.match(failureWordsOf({ ...failing, state: "unavailable" }, 9 * 86_400_000)!, /once a day/)
  })
})
