/** Activities whose repetitions are known without asking the table. */
const most = 20_000

/** The last activities that were kept, by id and the bytes they last had; the oldest are forgotten first. */
export const recentActivities = () => {
  const seen = new Map<string, string>()
  return {
    has: (uri: string, digest: string) => seen.get(uri) === digest,
    add: (uri: string, digest: string) => {
      seen.delete(uri)
      if (seen.size >= most) seen.delete(seen.keys().next().value!)
      seen.set(uri, digest)
    },
    forget: (uri: string) => void seen.delete(uri)
  }
}
