import { Effect, Queue, type Scope } from "effect"
import { type FileHandle, open, rm } from "node:fs/promises"
import type { TorrentNetwork } from "../network/TorrentNetwork.ts"
import type { TorrentOptions } from "../network/TorrentOptions.ts"
import { lookUpPeers } from "../source/DhtLookup.ts"
import { readMagnet } from "../metainfo/Magnet.ts"
import {
  type Metainfo,
  type MetainfoFile,
  readInfo,
  readTorrent,
  shownName,
  type TorrentSources
} from "../metainfo/Metainfo.ts"
import { readEndpoint } from "../network/Endpoint.ts"
import { makePieces, partOfFile, type Pieces } from "../peer/Pieces.ts"
import { makeSwarm, type Swarm } from "../peer/Swarm.ts"
import {
  type TorrentError,
  TorrentNotWritten,
  TorrentRefused,
  TorrentTooLarge,
  TorrentUnreachable,
  TorrentUnusable
} from "../metainfo/TorrentError.ts"
import { torrentLimits } from "../metainfo/TorrentLimits.ts"
import type { TorrentRequest } from "./TorrentRequest.ts"
import { followTracker } from "../source/FollowTracker.ts"
import { usableFile } from "../metainfo/UsableFile.ts"
import { fetchFromWebSeed } from "../source/WebSeed.ts"

export interface LeechServices {
  readonly network: TorrentNetwork["Service"]
  readonly options: TorrentOptions
}

/** What is known before any peer is asked for data. */
interface Plan {
  readonly infoHash: string
  readonly sources: TorrentSources
  readonly info?: Metainfo
}

const torrentTypes = ["", "application/x-bittorrent", "application/octet-stream"]
/** Milliseconds between two checks whether any source is left. */
const lookMillis = 250
const progressMillis = 1_000
const dhtMillis = 60_000
const dhtTimes = 5

const notWritten = (error: unknown) =>
  new TorrentNotWritten({
    code: error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EFAILED"
  })

const merge = (one: TorrentSources, other: TorrentSources): TorrentSources => ({
  trackers: [...new Set([...one.trackers, ...other.trackers])].slice(0, torrentLimits.trackers),
  webSeeds: [...new Set([...one.webSeeds, ...other.webSeeds])].slice(0, torrentLimits.webSeeds),
  peers: [...one.peers, ...other.peers]
})

/** If the magnet link names a torrent file (`xs`), peers need not be asked for the metadata. */
const planOfMagnet = Effect.fnUntraced(function* (services: LeechServices, text: string) {
  const { infoHash, sources, exactSources } = yield* readMagnet(text)
  for (const url of exactSources) {
    const found = yield* services.network.bytes(url, { types: torrentTypes, maxBytes: torrentLimits.torrent }).pipe(
      Effect.flatMap(readTorrent),
      Effect.orElseSucceed(() => undefined)
    )
    if (found?.info.infoHash !== infoHash) continue
    return { infoHash, info: found.info, sources: merge(sources, found.sources) } satisfies Plan
  }
  return { infoHash, sources } satisfies Plan
})

const planOf = (services: LeechServices, source: TorrentRequest["source"]): Effect.Effect<Plan, TorrentError> =>
  "magnet" in source
    ? planOfMagnet(services, source.magnet)
    : Effect.map(readTorrent(source.torrent), ({ info, sources }) => ({ infoHash: info.infoHash, info, sources }))

const choose = Effect.fnUntraced(function* (info: Metainfo, request: TorrentRequest) {
  const file = yield* usableFile(info, request.extensions)
  if (file.size > request.maxBytes) {
    return yield* new TorrentTooLarge({ size: file.size, maxBytes: request.maxBytes })
  }
  return file
})

/** Creates a file of its final size. It is removed unless the scope closes successfully. */
const create = (path: string, size: number): Effect.Effect<FileHandle, TorrentNotWritten, Scope.Scope> =>
  Effect.acquireRelease(Effect.tryPromise({ try: () => open(path, "wx", 0o600), catch: notWritten }), (handle, exit) =>
    Effect.promise(async () => {
      await handle.close()
      if (exit._tag === "Failure") await rm(path, { force: true })
    })
  ).pipe(Effect.tap((handle) => Effect.tryPromise({ try: () => handle.truncate(size), catch: notWritten })))

/** Searches the DHT a few times, as peers come and go, unless no node answers. */
const askDht = Effect.fnUntraced(function* ({ network, options }: LeechServices, swarm: Swarm, infoHash: string) {
  const nodes = options.dht.flatMap((it) => readEndpoint(it) ?? [])
  for (let times = 0; times < dhtTimes; times++) {
    if ((yield* lookUpPeers(network, infoHash, nodes, swarm.offer)) === 0) return
    yield* Effect.sleep(dhtMillis)
  }
})

/** The sources of the data, and how many of them are left. */
const makeSources = (services: LeechServices, swarm: Swarm) => {
  let alive = 0
  let failed = false
  let refused: string | undefined
  const run = <E extends { readonly _tag: string }>(
    source: Effect.Effect<void, E>,
    detail: (error: E) => string | undefined
  ) => {
    alive++
    return source.pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          failed = true
        })
      ),
      Effect.catch((error) =>
        Effect.sync(() => {
          const why = detail(error)
          refused ??= why
          failed ||= why === undefined
        })
      ),
      Effect.ensuring(Effect.sync(() => alive--)),
      Effect.forkScoped
    )
  }
  return {
    tracker: (url: string, request: () => { readonly downloaded: number; readonly left: number }, infoHash: string) =>
      run(
        followTracker(
          services.network,
          url,
          swarm,
          () => ({ infoHash, peerId: swarm.peerId, ...request() }),
          services.options.retryMillis
        ),
        ({ detail }) => detail
      ),
    webSeed: (url: string, info: Metainfo, pieces: Pieces) =>
      run(fetchFromWebSeed(services.network, url, info, pieces), (error) =>
        error._tag === "NetworkRefused" ? error.detail : undefined
      ),
    dht: (infoHash: string) => run(askDht(services, swarm, infoHash), () => undefined),
    /** Fails as soon as no source is left. */
    exhausted: Effect.gen(function* () {
      yield* Effect.sleep(lookMillis).pipe(Effect.repeat({ while: () => alive > 0 || swarm.hasPeers() }))
      const detail = failed || swarm.tried() ? undefined : (refused ?? swarm.refused())
      return yield* detail === undefined ? new TorrentUnreachable({ phase: "sources" }) : new TorrentRefused({ detail })
    })
  }
}

const toldByPeers = (swarm: Swarm, millis: number) =>
  swarm.metadata.pipe(
    Effect.timeoutOrElse({ duration: millis, orElse: () => new TorrentUnreachable({ phase: "metadata" }) }),
    Effect.flatMap(readInfo)
  )

/** Writes verified pieces to their position until none is missing. */
const writeAll = Effect.fnUntraced(function* (
  handle: FileHandle,
  info: Metainfo,
  file: MetainfoFile,
  verified: Queue.Queue<{ readonly piece: number; readonly bytes: Uint8Array }>,
  pieces: Pieces,
  stalledMillis: number,
  written: (bytes: number) => void
) {
  const { total } = pieces.progress()
  while (pieces.progress().written < total) {
    const { piece, bytes } = yield* Queue.take(verified).pipe(
      Effect.timeoutOrElse({ duration: stalledMillis, orElse: () => new TorrentUnreachable({ phase: "pieces" }) })
    )
    const part = partOfFile(info, file, piece, bytes)
    yield* Effect.tryPromise({
      try: async () => {
        for (let at = 0; at < part.bytes.length;) {
          at += (await handle.write(part.bytes, at, part.bytes.length - at, part.position + at)).bytesWritten
        }
      },
      catch: notWritten
    })
    pieces.written(piece)
    written(part.bytes.length)
  }
})

const reportProgress = (pieces: Pieces, report: NonNullable<TorrentRequest["onProgress"]>) => {
  let before = 0
  return Effect.gen(function* () {
    yield* Effect.sleep(progressMillis)
    const { written, total } = pieces.progress()
    if (written > before) yield* report(written / total)
    before = written
  }).pipe(Effect.forever)
}

/** Downloads the usable file of a torrent. All connections are closed at the end. */
export const leech = Effect.fnUntraced(function* (services: LeechServices, request: TorrentRequest) {
  const { network, options } = services
  const plan = yield* planOf(services, request.source)
  if (plan.info !== undefined) yield* choose(plan.info, request)

  const swarm = yield* makeSwarm(network, plan.infoHash, options)
  const sources = makeSources(services, swarm)
  const totals = { downloaded: 0, left: 1 }
  for (const address of plan.sources.peers) {
    const endpoint = readEndpoint(address)
    if (endpoint !== undefined) swarm.offer(endpoint)
  }
  // Trackers for browsers (`wss:`) only know peers in browsers.
  const trackers = plan.sources.trackers.filter((url) => /^(?:https?|udp):/i.test(url))
  for (const url of trackers) yield* sources.tracker(url, () => totals, plan.infoHash)
  if (trackers.length + plan.sources.webSeeds.length === 0 && options.dht.length > 0) yield* sources.dht(plan.infoHash)

  const info = plan.info ?? (yield* Effect.raceFirst(toldByPeers(swarm, options.metadataMillis), sources.exhausted))
  if (info.infoHash !== plan.infoHash) return yield* new TorrentUnusable({ why: "syntax", detail: "another hash" })
  const file = yield* choose(info, request)
  totals.left = file.size
  const handle = yield* create(request.file, file.size)
  const verified = yield* Queue.make<{ readonly piece: number; readonly bytes: Uint8Array }>()
  const pieces = makePieces(info, file, options.memory, (piece, bytes) => {
    Queue.offerUnsafe(verified, { piece, bytes })
  })
  swarm.begin(pieces)
  for (const url of plan.sources.webSeeds) {
    if (/^https?:/i.test(url)) yield* sources.webSeed(url, info, pieces)
  }
  if (request.onProgress !== undefined) yield* Effect.forkScoped(reportProgress(pieces, request.onProgress))
  yield* Effect.raceFirst(
    writeAll(handle, info, file, verified, pieces, options.stalledMillis, (bytes) => {
      totals.downloaded += bytes
      totals.left -= bytes
      swarm.wake()
    }),
    sources.exhausted
  )
  if (request.onProgress !== undefined) yield* request.onProgress(1)
  return { name: shownName(file.path.at(-1) ?? ""), size: file.size }
}, Effect.scoped)
