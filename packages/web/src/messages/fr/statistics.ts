import type { messages as english } from "../en/statistics.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Statistiques",
  video: "Vers la vidéo",
  span: "Période",
  spanName:
    "{days, select, 7 {Les 7 derniers jours} 30 {Les 30 derniers jours} 365 {La dernière année} other {Depuis la publication}}",
  viewers: "Spectateurs",
  watchTime: "Temps regardé",
  watchSeconds: "Secondes regardées",
  average: "Regardée en moyenne",
  peak: "Le plus à la fois",
  peakAt: "le {at}",
  perTime: "Spectateurs dans le temps",
  timePerTime: "Secondes regardées dans le temps",
  retention: "Combien de temps on regarde",
  retentionHelp: "Part des spectateurs qui voient chaque seconde.",
  second: "Seconde",
  share: "Spectateurs en pour cent",
  countries: "Pays",
  devices: "Appareils",
  deviceName:
    "{name, select, console {Console} embedded {Intégré} mobile {Téléphone} smarttv {Télévision} tablet {Tablette} wearable {Porté} xr {Casque} other {Ordinateur}}",
  clients: "Navigateurs et programmes",
  systems: "Systèmes",
  date: "Date",
  name: "Nom",
  nothing: "Personne ne l’a regardée pendant cette période.",
  export: "Exporter en CSV",
  exportOf: "Exporter en CSV : {what}"
} satisfies Translation<typeof english>
