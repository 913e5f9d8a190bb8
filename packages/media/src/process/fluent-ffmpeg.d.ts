// The entry file of the package chooses a build by an environment variable at run time, which a bundler cannot follow.
declare module "fluent-ffmpeg/lib/fluent-ffmpeg.js" {
  import fluent from "fluent-ffmpeg"
  export default fluent
}
