import { defaultMediaSettings, MediaSettings } from "@kinora/media/settings/MediaSettings"
import { Programs } from "@kinora/media/tools/Programs"
import { YtDlpProgram } from "@kinora/media/ytdlp/YtDlpProgram"
import { Effect, Layer } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { externalPrograms } from "../platform/config/ExternalPrograms.ts"
import { type Finding, good, warning } from "./DoctorReport.ts"

const subject = "yt-dlp"

const install = "Install yt-dlp or set KINORA_YTDLP_PATH; without it only addresses of video files can be imported."

const unconfined =
  "yt-dlp reads untrusted pages: install Python 3 (import.videos.http.youtube_dl_release.python_path), run Linux 5.13 or later, and allow user namespaces or run 6.7."

const layer = Layer.unwrap(
  KinoraConfig.use((config) =>
    Effect.succeed(
      YtDlpProgram.layer.pipe(
        Layer.provide(Programs.layer),
        Layer.provide(Layer.succeed(MediaSettings)({ ...defaultMediaSettings, ...externalPrograms(config) }))
      )
    )
  )
)

/** Whether yt-dlp can be run, and how well it is confined. Checked only if imports from URLs are enabled. */
export const checkYtDlp = Effect.gen(function* () {
  const config = yield* KinoraConfig
  if (!config.import.videos.http.enabled) return []
  const program = yield* YtDlpProgram
  return yield* Effect.match(program.find, {
    onFailure: ({ detail }): ReadonlyArray<Finding> => [warning(subject, detail, install)],
    onSuccess: ({ path, powers, version }): ReadonlyArray<Finding> => {
      const found = `${version} (${path})`
      if (powers.files && powers.network) return [good(subject, `${found}, confined to its folder and our proxy`)]
      const open = powers.files ? "can reach the network past our proxy" : "can read what this instance can read"
      return [warning(subject, `${found} ${open}`, unconfined)]
    }
  })
}).pipe(Effect.provide(layer))
