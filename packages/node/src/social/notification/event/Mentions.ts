/** Beyond this many nobody is notified: a comment is no circular letter. */
const mostMentions = 20

const mention = /(?<![\w.@/-])@([a-z0-9._]{1,50})(?:@([a-z0-9.-]{1,253}(?::\d{1,5})?))?/gi

/** User names a text mentions: `@name`, or `@name@host` of this instance. A dot that ends a sentence is none of the name. */
export const mentionedNames = (text: string, ownHost: string): ReadonlyArray<string> => {
  const names = new Set<string>()
  for (const [, name = "", host] of text.matchAll(mention)) {
    if (host !== undefined && host.toLowerCase().replace(/\.+$/, "") !== ownHost.toLowerCase()) continue
    const clean = name.toLowerCase().replace(/\.+$/, "")
    if (clean !== "") names.add(clean)
    if (names.size === mostMentions) break
  }
  return [...names]
}
