import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { field, optional } from "../fields/Field.ts"
import { integer, text } from "../fields/Readers.ts"
import { Docs, type DocumentedAnswer, type EndpointDocs, problems } from "./Documentation.ts"

/** Raw bytes in the query, percent-encoded (BEP 3). */
const bytes = (description: string) =>
  text({ min: 1, max: 60, message: "Must be 20 bytes, percent-encoded", documented: { description } })

const infoHash = bytes("Which torrent: SHA-1 of its info dictionary, 20 bytes")

const bencoded = (description: string): Readonly<Record<number, DocumentedAnswer>> => ({
  200: { description: `${description}, in bencode; a refusal carries \`failure reason\``, content: "text/plain" }
})

const announce: EndpointDocs = {
  summary: "Join, keep or leave the swarm of a torrent",
  answers: bencoded("The peers of the swarm"),
  problems: problems(404, 429)
}

const scrape: EndpointDocs = {
  summary: "Get how many share a torrent",
  answers: bencoded("Figures of the torrents that were asked about"),
  problems: problems(404, 429)
}

const socket: EndpointDocs = {
  summary: "Get the tracker of browsers: announces and WebRTC offers over a web socket",
  answers: { 101: { description: "A web socket that speaks the protocol of WebTorrent trackers" } },
  problems: problems(403, 426, 429)
}

/** The BitTorrent tracker: raw routes. */
export class TrackerRoutes extends HttpApiGroup.make("trackerRoutes", { topLevel: true })
  .add(
    HttpApiEndpoint.get("trackerAnnounce", "/tracker/announce", {
      query: {
        info_hash: field(infoHash),
        peer_id: field(bytes("What the client calls itself, 20 bytes")),
        port: optional(integer({ min: 1, max: 65_535, message: "Must be a port", documented: {} }))
      }
    }).annotate(Docs, announce),
    HttpApiEndpoint.get("trackerScrape", "/tracker/scrape", { query: { info_hash: optional(infoHash) } }).annotate(
      Docs,
      scrape
    ),
    HttpApiEndpoint.get("trackerSocket", "/tracker/socket").annotate(Docs, socket)
  )
  .annotate(OpenApi.Title, "Tracker") {}
