/** In place of what decrypts segments: none of ours is encrypted, and who meets one loads the whole of hls.js. */
// oxlint-disable-next-line import/no-default-export -- hls.js imports it so
export default class {
  decrypt(): Promise<never> {
    return Promise.reject(new Error("encrypted segments are for the whole of hls.js"))
  }
  reset(): void {}
  destroy(): void {}
}
