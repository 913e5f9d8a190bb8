// The light build has the same interface; the package ships types for the full one alone.
declare module "hls.js/light" {
  export { default } from "hls.js"
}
