import { Pictures } from "@kinora/media/images/Pictures"
import { Storyboard } from "@kinora/media/images/Storyboard"
import { Thumbnails } from "@kinora/media/images/Thumbnails"
import { JoinRecording } from "@kinora/media/live/JoinRecording"
import { LivePackager } from "@kinora/media/live/LivePackager"
import { RemuxToFlv } from "@kinora/media/live/RemuxToFlv"
import { Media } from "@kinora/media/Media"
import { Mux } from "@kinora/media/mux/Mux"
import { Cut } from "@kinora/media/parts/Cut"
import { JoinParts } from "@kinora/media/parts/JoinParts"
import { PartEncoder } from "@kinora/media/parts/PartEncoder"
import { SourcePackets } from "@kinora/media/parts/SourcePackets"
import { Probe } from "@kinora/media/probe/Probe"
import { Remux } from "@kinora/media/remux/Remux"
import { defaultMediaSettings, MediaSettings } from "@kinora/media/settings/MediaSettings"
import { Tools } from "@kinora/media/tools/Tools"
import { Join } from "@kinora/media/transcode/Join"
import { Transcode } from "@kinora/media/transcode/Transcode"
import { RunnerWork } from "@kinora/media/work/RunnerWork"
import { YtDlp } from "@kinora/media/ytdlp/YtDlp"
import { Context, Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { externalPrograms } from "../platform/config/ExternalPrograms.ts"
import { codecWarnings } from "../video/process/CodecWarnings.ts"

const settings = Layer.effect(
  MediaSettings,
  Effect.map(KinoraConfig, (config) => ({
    ...defaultMediaSettings,
    ffmpegPath: config.ffmpeg.path ?? undefined,
    ffprobePath: config.ffprobe.path ?? undefined,
    ...externalPrograms(config),
    externalDownloadTimeout: config.import.videos.timeout,
    cacheDirectory: config.storage.bin,
    get threads() {
      return config.transcoding.threads
    },
    preset: config.transcoding.preset,
    metadata: config.transcoding.metadata,
    encodeMemory: config.media_limits.encode_memory,
    encodeTimeout: config.media_limits.encode_timeout,
    probeMemory: config.media_limits.probe_memory,
    probeTimeout: config.media_limits.probe_timeout
  }))
)

/** Says once what the log should say of the encoders. */
const warnings = Layer.effectDiscard(
  Effect.gen(function* () {
    const { features, ffmpeg } = (yield* Tools).report
    const found = ffmpeg === undefined ? [] : codecWarnings(yield* KinoraConfig, features)
    yield* Effect.forEach(found, (problem) => Effect.logWarning(problem), { discard: true })
  })
)

const media = warnings.pipe(Layer.provideMerge(Media.layer), Layer.provide(settings))

/** Long enough for the first answers to be out. */
const warmUpAfter = Duration.seconds(2)

/**
 * ffprobe and ffmpeg as configured. Looking for the tools and trying out the sandbox starts a dozen processes: that is done
 * beside the start or when the first of them is used, whichever comes first, and not before the node answers.
 */
const tools = Layer.effectContext(
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const surroundings = yield* Effect.context<Layer.Services<typeof media>>()
    const build = Layer.buildWithScope(media, scope).pipe(Effect.orDie, Effect.provideContext(surroundings))
    const wanted = yield* Deferred.make<void>()
    // A fiber of its own: who waits for it may be interrupted without taking the tools from everybody else.
    const building = yield* Effect.raceFirst(Effect.sleep(warmUpAfter), Deferred.await(wanted)).pipe(
      Effect.andThen(build),
      Effect.forkScoped
    )
    const built = Effect.andThen(Deferred.succeed(wanted, undefined), Fiber.join(building))
    type Services =
      | Cut
      | JoinParts
      | JoinRecording
      | LivePackager
      | PartEncoder
      | SourcePackets
      | Join
      | Mux
      | Probe
      | Remux
      | RemuxToFlv
      | RunnerWork
      | Storyboard
      | Thumbnails
      | Transcode
      | YtDlp
    const use = <I extends Services, S, A, E, R = never>(
      service: Context.Key<I, S>,
      ask: (service: S) => Effect.Effect<A, E, R>
    ) => Effect.flatMap(built, (context) => ask(Context.get(context as Context.Context<I>, service)))
    const probe = Probe.of({
      probe: (path) => use(Probe, (it) => it.probe(path)),
      describe: (path) => use(Probe, (it) => it.describe(path))
    })
    return Context.make(Probe, probe).pipe(
      Context.add(Cut, Cut.of({ cut: (options) => use(Cut, (it) => it.cut(options)) })),
      Context.add(
        JoinParts,
        JoinParts.of({
          look: (part) => use(JoinParts, (it) => it.look(part)),
          join: (options) => use(JoinParts, (it) => it.join(options))
        })
      ),
      Context.add(
        JoinRecording,
        JoinRecording.of({ join: (version, directory) => use(JoinRecording, (it) => it.join(version, directory)) })
      ),
      Context.add(LivePackager, LivePackager.of({ start: (work) => use(LivePackager, (it) => it.start(work)) })),
      Context.add(PartEncoder, PartEncoder.of({ encode: (work) => use(PartEncoder, (it) => it.encode(work)) })),
      Context.add(
        SourcePackets,
        SourcePackets.of({
          read: (source, info) => use(SourcePackets, (it) => it.read(source, info)),
          audioEnd: (cut) => use(SourcePackets, (it) => it.audioEnd(cut))
        })
      ),
      Context.add(Join, Join.of({ join: (options) => use(Join, (it) => it.join(options)) })),
      Context.add(Mux, Mux.of({ mux: (inputs) => use(Mux, (it) => it.mux(inputs)) })),
      Context.add(
        Remux,
        Remux.of({
          asItIs: (options) => use(Remux, (it) => it.asItIs(options)),
          remux: (options) => use(Remux, (it) => it.remux(options))
        })
      ),
      Context.add(RemuxToFlv, RemuxToFlv.of({ start: (work) => use(RemuxToFlv, (it) => it.start(work)) })),
      Context.add(
        RunnerWork,
        RunnerWork.of({
          rendition: (order) => use(RunnerWork, (it) => it.rendition(order)),
          sheet: (order) => use(RunnerWork, (it) => it.sheet(order))
        })
      ),
      Context.add(
        Transcode,
        Transcode.of({
          transcode: (options) => use(Transcode, (it) => it.transcode(options)),
          encodes: (codec) => use(Transcode, (it) => it.encodes(codec))
        })
      ),
      Context.add(
        YtDlp,
        YtDlp.of({
          version: use(YtDlp, (it) => it.version),
          describe: (request) => use(YtDlp, (it) => it.describe(request)),
          download: (request) => use(YtDlp, (it) => it.download(request)),
          list: (request) => use(YtDlp, (it) => it.list(request))
        })
      ),
      Context.add(
        Storyboard,
        Storyboard.of({
          create: (options) => use(Storyboard, (it) => it.create(options)),
          still: (options) => use(Storyboard, (it) => it.still(options))
        })
      ),
      Context.add(
        Thumbnails,
        Thumbnails.of({
          fromVideo: (options) => use(Thumbnails, (it) => it.fromVideo(options)),
          fromPicture: (options) => use(Thumbnails, (it) => it.fromPicture(options))
        })
      )
    )
  })
)

/** The media services: those that run tools, and `Pictures`, which needs none and is there at once. */
export const MediaServices = Layer.merge(tools, Pictures.layer.pipe(Layer.provide(settings)))
