/**
 * Hosts as they are asked for: URLs allow more, such as `;`, which means something else where hosts are listed. With a point
 * at the end it would be the same host under a second name.
 */
const plainHost = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/

/** Whether the host of a parsed URL is a plain name or an address. */
export const hasPlainHost = (url: URL): boolean => plainHost.test(url.hostname)
