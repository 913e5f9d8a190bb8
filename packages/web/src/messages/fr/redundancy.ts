import type { messages as english } from "../en/redundancy.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Vidéos en miroir",
  lead: "Des copies de vidéos qui allègent l’instance à laquelle elles appartiennent : les lecteurs s’en servent aussi.",
  ours: "Copiées ici",
  others: "Copiées par d’autres",
  oursHelp: "Les vidéos d’autres instances dont celle-ci sert aussi les fichiers.",
  othersHelp: "Les vidéos de cette instance dont d’autres servent aussi les fichiers.",
  jobs: "Tâches",
  mirror: "Copier une vidéo",
  mirrorTitle: "Copier une vidéo",
  mirrorText:
    "Ses fichiers HLS sont copiés en arrière-plan et servis d’ici, jusqu’à ce que quelqu’un supprime le miroir.",
  address: "Vidéo",
  addressHelp: "Son adresse sur l’autre instance ou sur celle-ci, ou son identifiant.",
  notFound: "Aucune vidéo de ce nom n’est trouvée. L’adresse est-elle juste, et la vidéo publique ?",
  asked: "La vidéo est copiée en arrière-plan. Elle paraîtra ici quand ce sera fait.",
  video: "Vidéo",
  of: "de {host}",
  keptBy: "sur {host}",
  strategy: "Pourquoi",
  strategyName:
    "{strategy, select, most_views {Les plus vues} trending {Tendances} recently_added {Ajoutées récemment} other {À la main}}",
  size: "Taille",
  since: "Depuis",
  expires: "Expire",
  never: "Jamais",
  acts: "Actions",
  remove: "Supprimer",
  removeOne: "Supprimer le miroir de {name}",
  removeTitle: "{count, plural, one {Supprimer le miroir de « {name} » ?} other {Supprimer ces # miroirs ?}}",
  removeOursText:
    "{count, plural, one {Ses fichiers sont supprimés ici.} other {Leurs fichiers sont supprimés ici.}} La vidéo reste sur sa propre instance ; une stratégie peut la choisir à nouveau.",
  removeOthersText:
    "Les lecteurs n’y sont plus envoyés. {count, plural, one {L’autre instance peut l’annoncer à nouveau.} other {Les autres instances peuvent les annoncer à nouveau.}}",
  removed: "{count, plural, one {Le miroir est supprimé.} other {# miroirs sont supprimés.}}",
  noOursTitle: "Rien n’est copié ici",
  noOursText:
    "Copiez une vidéo à la main, ou permettez-le pour une instance suivie et choisissez des stratégies dans la configuration (redundancy.videos.strategies).",
  noOthersTitle: "Personne ne copie les vidéos de cette instance",
  noOthersText: "Les miroirs des autres paraissent ici quand ils les annoncent.",
  room: "Place des stratégies",
  roomOf: "Place prise : {name}",
  roomTaken: "{used} sur {size}, {count, plural, one {# vidéo} other {# vidéos}}"
} satisfies Translation<typeof english>
