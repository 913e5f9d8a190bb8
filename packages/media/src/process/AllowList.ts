/**
 * What a child process may open: an uploaded file, an uploaded or attached image, a file from our own encoder, a
 * part that was cut from an upload, a live stream as it arrives (as FLV, or in another container), or segments of one
 * that were kept.
 */
export type CodecKind = "upload" | "picture" | "ours" | "cut" | "live" | "contained" | "recording"

/**
 * Demuxers for uploads: the containers that people use, and none that opens other files (hls, dash, concat, ffconcat,
 * image sequences, subtitles, playlists) or takes its size from the file name (raw video).
 */
const uploadFormats = [
  ...["mov", "mp4", "m4a", "3gp", "3g2", "mj2", "matroska", "webm", "avi", "flv", "mpegts", "mpeg", "mpegvideo", "ogg"],
  ...["asf", "wav", "mp3", "flac", "aac", "ac3", "aiff", "mxf", "h264", "hevc"]
]

const pictureFormats = ["jpeg_pipe", "png_pipe", "webp_pipe", "gif"]

const stillCodecs = ["mjpeg", "png", "webp", "gif", "bmp"]

/**
 * Decoders for uploads. Exotic and screen-capture codecs with a history of memory errors (MagicYUV: CVE-2026-8461) are
 * left out on purpose: browser uploads do not need them.
 */
const uploadCodecs = [
  ...["h264", "hevc", "vp8", "vp9", "libvpx", "libvpx-vp9", "av1", "libdav1d", "libaom-av1"],
  ...["mpeg1video", "mpeg2video", "mpegvideo", "mpeg4", "msmpeg4v2", "msmpeg4", "h263", "flv", "wmv1", "wmv2", "wmv3"],
  ...["vc1", "theora", "prores", "dnxhd", "dvvideo", "rawvideo", "ffv1", "huffyuv", "ffvhuff", "qtrle", "svq3"],
  ...[
    "aac",
    "aac_latm",
    "mp3",
    "mp3float",
    "mp2",
    "mp2float",
    "mp1",
    "mp1float",
    "ac3",
    "eac3",
    "dca",
    "truehd",
    "opus",
    "libopus",
    "vorbis"
  ],
  ...[
    "libvorbis",
    "flac",
    "alac",
    "wmav1",
    "wmav2",
    "wmapro",
    "amrnb",
    "amrwb",
    "libopencore_amrnb",
    "libopencore_amrwb",
    "adpcm_ms",
    "adpcm_ima_wav",
    "adpcm_ima_qt",
    "adpcm_swf"
  ],
  ...["pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be"],
  ...["pcm_f64le", "pcm_u8", "pcm_s8", "pcm_alaw", "pcm_mulaw", "pcm_bluray", "pcm_dvd", "pcm_lpcm"],
  ...stillCodecs
]

/** Decoders for live streams: what RTMP, with its extensions, carries. */
const liveCodecs = "h264,hevc,av1,libdav1d,libaom-av1,vp9,libvpx-vp9,flv,aac,mp3,mp3float,opus,libopus,ac3,eac3,flac"

const lists: Record<CodecKind, { readonly formats: string; readonly codecs: string }> = {
  upload: { formats: uploadFormats.join(","), codecs: uploadCodecs.join(",") },
  picture: { formats: pictureFormats.join(","), codecs: stillCodecs.join(",") },
  cut: { formats: "nut", codecs: uploadCodecs.join(",") },
  live: { formats: "flv", codecs: liveCodecs },
  // What broadcast equipment sends besides.
  contained: { formats: "mpegts,matroska", codecs: `${liveCodecs},mp2,mp2float,aac_latm` },
  recording: { formats: "mpegts,concat,mov,mp4", codecs: liveCodecs },
  ours: {
    formats: "mov,mp4",
    codecs: "h264,hevc,av1,libdav1d,libaom-av1,vp9,libvpx-vp9,aac,mp3,mp3float,opus,libopus,mjpeg"
  }
}

/** Value of ffmpeg's `-format_whitelist`. */
export const formatWhitelist = (kind: CodecKind): string => lists[kind].formats

/** Value of ffmpeg's `-codec_whitelist` (decoders). */
export const codecWhitelist = (kind: CodecKind): string => lists[kind].codecs

/**
 * ffprobe's `codec_name` is the codec's name, but the allow-list contains decoders: differing names are mapped here.
 */
const decoderNames: Record<string, string> = {
  msmpeg4v3: "msmpeg4",
  flv1: "flv",
  h263p: "h263",
  dts: "dca",
  mpeg2: "mpeg2video"
}

/** True when an upload with a stream of this codec (ffprobe's `codec_name`) can be decoded. */
export const isDecodable = (codec: string): boolean => uploadCodecs.includes(decoderNames[codec] ?? codec)
