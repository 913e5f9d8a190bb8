import type { Configuration } from "./Configuration.ts"

/** Where the programs are that fetch from elsewhere, in the words of `MediaSettings`. */
export const externalPrograms = (config: Configuration) => {
  const { name, python_path: pythonPath } = config.import.videos.http.youtube_dl_release
  return { ytDlpPath: config.ytdlp.path ?? name, pythonPath }
}
