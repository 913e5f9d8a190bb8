import { reachable } from "./Redirects.ts"

/** Brief retries of hls.js itself; longer outages are ours, see `trouble`. */
const policy = (firstByte: number) => ({
  default: {
    maxTimeToFirstByteMs: firstByte,
    maxLoadTimeMs: 60_000,
    timeoutRetry: { maxNumRetry: 2, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: { maxNumRetry: 2, retryDelayMs: 400, maxRetryDelayMs: 2_000 }
  }
})

/** How hls.js loads and keeps data. */
export const hlsSettings = {
  enableWorker: false,
  capLevelToPlayerSize: true,
  // Half a minute ahead, however long the video is: what a seek throws away stays small. A minute behind stays for
  // seeking back; older data go before the browser's buffer is full, which would stall files of hours.
  maxBufferLength: 30,
  maxMaxBufferLength: 120,
  maxBufferSize: 60_000_000,
  backBufferLength: 60,
  abrEwmaDefaultEstimate: 2_000_000,
  manifestLoadPolicy: policy(10_000),
  playlistLoadPolicy: policy(10_000),
  fragLoadPolicy: policy(10_000),
  xhrSetup: (request: XMLHttpRequest, address: string) => request.open("GET", reachable(address), true)
}
