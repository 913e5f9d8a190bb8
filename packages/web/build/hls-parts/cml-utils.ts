/** `@svta/cml-utils` as hls.js uses it: an id for sessions that nothing here reads. */
export const uuid = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (it) => it.toString(16)).join("-")
