// Made from the sources of hls.js (`build/HlsForFiles.ts`): the same interface with less behind it.
declare module "hls.js/for-files" {
  export { default } from "hls.js"
}
