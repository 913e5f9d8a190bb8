import { Effect } from "effect"
import type { Metainfo, MetainfoFile } from "./Metainfo.ts"
import { TorrentFilesWrong } from "./TorrentError.ts"

/** Extensions of video containers. */
const videoExtensions: ReadonlyArray<string> = (
  ".mp4 .m4v .mov .qt .mqv .webm .mkv .ogv .ogg .avi .wmv .flv .f4v .3gp .3gpp .3g2 .3gpp2 .nut .mts .m2ts .mpv .m2v " +
  ".m1v .mpg .mpe .mpeg .vob .mxf"
).split(" ")

const extensionOf = (name: string): string => /\.[^./\\]{1,10}$/.exec(name)?.[0].toLowerCase() ?? ""

const isSample = (path: ReadonlyArray<string>): boolean =>
  path.some((it) => /(?:^|[^\p{L}])samples?(?:[^\p{L}]|$)/iu.test(it))

/**
 * The one file of a torrent that can be the video. Texts, images and empty files do not count. Samples count only if
 * there is nothing else.
 */
export const usableFile = Effect.fnUntraced(function* (
  info: Metainfo,
  extensions: ReadonlyArray<string> = videoExtensions
): Effect.fn.Return<MetainfoFile, TorrentFilesWrong> {
  const videos = info.files.filter(
    (file) => file.size > 0 && !file.padding && extensions.includes(extensionOf(file.path.at(-1) ?? ""))
  )
  const whole = videos.filter((file) => !isSample(file.path))
  const usable = whole.length > 0 ? whole : videos
  const [file] = usable
  if (file === undefined || usable.length > 1) return yield* new TorrentFilesWrong({ usable: usable.length })
  return file
})
