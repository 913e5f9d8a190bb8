/**
 * Shows a page of our own when a page cannot be loaded for want of a connection. Everything else goes to the network as if
 * this were not here: videos, the API, and pages that load.
 */
declare const self: ServiceWorkerGlobalScope

const kept = "kinora-offline"
const page = "/offline"

/** The page and what it is made of, as they are now. */
const keep = async (): Promise<void> => {
  const answer = await fetch(page, { cache: "reload" })
  if (!answer.ok) throw new Error(`${page} answered ${answer.status}`)
  const text = await answer.clone().text()
  const parts = [...text.matchAll(/(?:href|src)="(\/client\/assets\/[^"]+)"/g)].map((it) => it[1]!)
  const cache = await caches.open(kept)
  for (const { url } of await cache.keys()) if (!parts.includes(new URL(url).pathname)) await cache.delete(url)
  await cache.addAll(parts)
  await cache.put(page, answer)
}

/** The kept page is in the language of the pages: when somebody chose another one, it is fetched anew. */
const keepLanguage = async (answer: Response): Promise<void> => {
  const language = answer.headers.get("content-language")
  const known = await (await caches.open(kept)).match(page)
  if (language !== null && known !== undefined && known.headers.get("content-language") !== language) await keep()
}

const orKept = async (request: Request, key: string): Promise<Response> => {
  try {
    return await fetch(request)
  } catch (error) {
    const found = await (await caches.open(kept)).match(key)
    if (found === undefined) throw error
    return found
  }
}

self.addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())))
self.addEventListener("fetch", (event) => {
  const { request } = event
  if (request.mode === "navigate" && request.method === "GET") {
    const answer = orKept(request, page)
    // Without a connection, another time will do.
    event.waitUntil(answer.then(keepLanguage).catch(() => undefined))
    return event.respondWith(answer)
  }
  // With a connection these come from the browser's own cache, or from the network.
  if (!navigator.onLine && new URL(request.url).pathname.startsWith("/client/assets/")) {
    event.respondWith(orKept(request, request.url))
  }
})
