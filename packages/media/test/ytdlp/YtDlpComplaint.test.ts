import { assert, describe, it } from "@effect/vitest"
import { complaint } from "../../src/ytdlp/YtDlpComplaint.ts"

const about = (line: string) => {
  const error = complaint(["WARNING: something", line, "more words"], 7)
  return error._tag === "ExternalUnusable" ? error.reason : `${error._tag}: ${error.message}`
}

describe("the last words of yt-dlp", () => {
  it("say what is wrong with a page", () => {
    const said: ReadonlyArray<readonly [string, string]> = [
      ["ERROR: [x] abc: This video is DRM protected", "protected"],
      ["ERROR: [x] abc: This live event will begin in 3 days.", "live"],
      ["ERROR: [x] abc: Private video. Sign in if you've been granted access", "private"],
      ["ERROR: [generic] None: HTTP Error 404: Not Found (caused by <HTTPError 404: 'Not Found'>)", "none"],
      ["ERROR: Unsupported URL: https://127.0.0.1/x", "none"],
      ["ERROR: [x] abc: Video unavailable", "none"],
      ["ERROR: unable to write data: [Errno 27] File too large", "ExternalTooLarge: The video is larger than 7 bytes"]
    ]
    for (const [line, meaning] of said) assert.strictEqual(about(line), meaning, line)
  })

  it("tell nothing of this machine, nor of those inside of its network", () => {
    assert.strictEqual(
      about(
        "ERROR: [generic] None: Unable to download webpage: <urlopen error Tunnel connection failed: 403 Forbidden>"
      ),
      "YtDlpFailed: The address could not be reached"
    )
    assert.strictEqual(
      about("ERROR: cannot open '/tmp/kinora-ytdlp-x/video.mp4'; please report this issue on https://a.example/issues"),
      "YtDlpFailed: cannot open '…'"
    )
    assert.strictEqual(
      about(
        "ERROR: [x] a: HTTPSConnectionPool: Max retries exceeded (Caused by ProxyError('Unable to connect to proxy'))"
      ),
      "YtDlpFailed: The address could not be reached"
    )
    assert.strictEqual(
      about("ERROR: odd answer of http://kinora:token@127.0.0.1:4711 here"),
      "YtDlpFailed: odd answer of … here"
    )
    assert.isAtMost(about(`ERROR: ${"long ".repeat(500)}\u001b[31m`).length, 320)
    assert.strictEqual(complaint([], 7).message, "yt-dlp failed without a message")
  })
})
