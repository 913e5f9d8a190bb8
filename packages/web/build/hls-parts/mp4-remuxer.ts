/** In place of what makes fragmented MP4 out of other containers: there are none, and no cues in the tracks either. */
// oxlint-disable-next-line import/no-default-export -- hls.js imports it so
export default undefined

export const flushTextTrackMetadataCueSamples = (): undefined => undefined
export const flushTextTrackUserdataCueSamples = (): undefined => undefined
