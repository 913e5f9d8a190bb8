/** `@svta/cml-id3` as hls.js uses it for fragmented MP4: names of schemes and values, to the end. */
export const utf8ArrayToStr = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
