export const messages = {
  bandwidth: "Bandwidth",
  buffer: "Buffer",
  codec: "Codecs",
  droppedFrames: "Dropped frames",
  latency: "Delay of the live",
  playedBy: "Played by",
  protocol: "Protocol",
  resolution: "Resolution",
  viewport: "Shown in"
} as const
