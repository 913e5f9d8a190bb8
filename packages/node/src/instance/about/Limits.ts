import { constraints } from "@kinora/domain/enums/Constraints"
import type { Configuration } from "../../platform/config/Configuration.ts"
import { acceptedExtensions } from "../../video/upload/MediaTypes.ts"

const file = (limits: { readonly extensions: ReadonlyArray<string>; readonly maxBytes: number }) => ({
  extensions: limits.extensions,
  size: { max: limits.maxBytes }
})

/** Heights of the enabled renditions, ascending; 0 is audio only. */
export const enabledResolutions = (resolutions: Readonly<Record<string, boolean>>): Array<number> =>
  Object.entries(resolutions)
    .filter(([, on]) => on)
    .map(([name]) => Number.parseInt(name, 10))
    .sort((a, b) => a - b)

/** File size and extension limits, for both `GET /config` and NodeInfo. */
export const fileLimits = (config: Configuration) => ({
  actorImage: { file: file(constraints.actorImage) },
  logo: { file: file(constraints.logo) },
  video: {
    image: file(constraints.video.image),
    file: {
      extensions: acceptedExtensions({
        additionalExtensions: config.transcoding.allow_additional_extensions,
        audioFiles: config.transcoding.allow_audio_files
      })
    }
  },
  caption: { file: file(constraints.caption) }
})
