import type { messages as english } from "../en/jobs.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Tâches",
  count: "{count, plural, =0 {Aucune tâche} one {# tâche} other {# tâches}}",
  emptyTitle: "Aucune tâche ici",
  emptyText: "Ce à quoi l’instance travaille paraît ici : transcodage, e-mails, fédération.",
  type: "Travail",
  typeName:
    "{type, select, activitypub_cleaner {Nettoyer ce que d’autres instances ont supprimé} activitypub_follow {Suivre} activitypub_http_broadcast {Envoyer aux autres instances} activitypub_http_broadcast_parallel {Envoyer aux autres instances à la fois} activitypub_http_fetcher {Chercher sur une autre instance} activitypub_http_unicast {Envoyer à une instance} activitypub_refresher {Revoir une autre instance} actor_keys {Créer des clés} after_video_channel_import {Fin d’un import de chaîne} email {E-mail} federate_video {Annoncer une vidéo} transcoding_job_builder {Préparer le transcodage} manage_video_torrent {Torrent} move_to_object_storage {Déplacer vers le stockage objet} move_to_file_system {Déplacer vers le système de fichiers} notify {Notifier} video_channel_import {Importer une chaîne} video_file_import {Importer un fichier} video_import {Importer une vidéo} video_live_ending {Fin d’un direct} video_redundancy {Redondance} video_studio_edition {Monter une vidéo} video_transcoding {Transcoder} videos_stats {Statistiques} generate_video_storyboard {Planche d’images} create_user_export {Export d’un utilisateur} import_user_archive {Import d’un utilisateur} video_transcription {Transcription} other {Autre travail}}",
  state: "État",
  stateName:
    "{state, select, active {En cours} completed {Terminée} failed {Échouée} waiting {En attente} delayed {Plus tard} paused {En pause} waiting_children {Attend d’autres tâches} other {En attente}}",
  progressOf: "Avancement : {type}",
  created: "Création",
  began: "Début",
  ended: "Fin",
  acts: "Actions",
  detailsOf: "Détails de {type}, tâche {id}",
  lead: "Tâche {id}, priorité {priority}",
  error: "Erreur",
  data: "Données",
  pause: "Mettre en pause",
  pauseTitle: "Mettre les tâches en pause ?",
  pauseText:
    "Aucune tâche ne commencera avant la reprise : ni transcodage, ni e-mail. Celles qui sont en cours continuent.",
  isPaused: "Les tâches sont en pause.",
  resume: "Reprendre",
  isResumed: "Les tâches reprennent.",
  pausedNotice:
    "Les tâches sont en pause : {count, plural, one {# tâche attend} other {# tâches attendent}} la reprise."
} satisfies Translation<typeof english>
