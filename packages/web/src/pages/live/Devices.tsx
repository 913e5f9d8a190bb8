import { useEffect, useState } from "preact/hooks"
import { type CaptureChoice, listDevices, noMicrophone } from "../../broadcast/Capture.ts"
import { text } from "../../i18n/Text.ts"
import { SelectField } from "../../ui/Choices.tsx"

const t = text("broadcast")

interface Found {
  readonly cameras: ReadonlyArray<MediaDeviceInfo>
  readonly microphones: ReadonlyArray<MediaDeviceInfo>
}

const nothing: Found = { cameras: [], microphones: [] }

const optionsOf = (devices: ReadonlyArray<MediaDeviceInfo>) =>
  devices.map(({ deviceId, label }) => ({ value: deviceId, label }))

/**
 * Chooses camera or screen, and the microphone. Browsers name devices once one was allowed: until then there is the one that
 * they take. `known`: one was allowed.
 */
export const Devices = ({
  choice,
  disabled,
  known,
  onChange
}: {
  readonly choice: CaptureChoice
  readonly disabled: boolean
  readonly known: boolean
  readonly onChange: (changes: Partial<CaptureChoice>) => void
}) => {
  const [found, setFound] = useState(nothing)
  useEffect(() => {
    if (disabled) return
    const look = async (): Promise<void> => setFound(await listDevices().catch(() => nothing))
    void look()
    navigator.mediaDevices.addEventListener("devicechange", look)
    return () => navigator.mediaDevices.removeEventListener("devicechange", look)
  }, [disabled, known])
  const usual = { value: "", label: t("usual") }
  return (
    <>
      <SelectField
        label={t("picture")}
        value={choice.picture}
        disabled={disabled}
        options={[
          { value: "camera", label: t("camera") },
          { value: "screen", label: t("screen") }
        ]}
        onValue={(picture) => onChange({ picture: picture === "screen" ? "screen" : "camera" })}
      />
      {choice.picture === "camera" && (
        <SelectField
          label={t("camera")}
          value={choice.camera}
          disabled={disabled}
          options={[usual, ...optionsOf(found.cameras)]}
          onValue={(camera) => onChange({ camera })}
        />
      )}
      <SelectField
        label={t("microphone")}
        value={choice.microphone}
        disabled={disabled}
        options={[usual, ...optionsOf(found.microphones), { value: noMicrophone, label: t("noMicrophone") }]}
        onValue={(microphone) => onChange({ microphone })}
      />
    </>
  )
}
