import { useEffect, useRef } from "preact/hooks"
import { text } from "../../i18n/Text.ts"

const t = text("broadcast")

/** Quieter than this is silence, in decibels below the loudest. */
const silence = -60

const loudness = (samples: Float32Array): number => {
  const square = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  return square === 0 ? 0 : Math.min(1, Math.max(0, 1 - (10 * Math.log10(square)) / silence))
}

/** How loud the sound of a stream is, from moment to moment. */
export const SoundMeter = ({ stream }: { readonly stream: MediaStream }) => {
  const meter = useRef<HTMLMeterElement>(null)
  useEffect(() => {
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    context.createMediaStreamSource(stream).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples)
      if (meter.current !== null) meter.current.value = loudness(samples)
    }, 100)
    return () => {
      clearInterval(timer)
      void context.close()
    }
  }, [stream])
  return <meter ref={meter} class="broadcast-meter" min={0} max={1} value={0} aria-label={t("loudness")} />
}
