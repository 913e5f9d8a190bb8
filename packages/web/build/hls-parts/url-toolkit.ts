/** `url-toolkit` as hls.js uses it: every base is absolute, so the browser's own resolution does. */
export const buildAbsoluteURL = (base: string, address: string): string => new URL(address, base).href
