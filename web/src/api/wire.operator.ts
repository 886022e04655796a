// Made by scripts/types.mjs from the server's OpenAPI document. Do not edit: run 'make types'.

import type { Device } from "./wire.ts";

export interface Census {
  database: string;
  version: string;
  schema: number;
  size: number;
  people: number;
  tokens: number;
  oldest_token: number | null;
  tables: number;
  open_tables: number;
}

export interface ConnectedPerson {
  id: string;
  name: string;
  bot: boolean;
  connections: number;
  tables: string[];
}

export interface LiveTable {
  code: string;
  game: string;
  name: string;
  host_name: string;
  status: string;
  private: boolean;
  paused: boolean;
  people: number;
  bots: number;
  connected: number;
  spectators: number;
  round: number;
  events: number;
  created: number;
  updated: number;
}

export interface NodeFacts {
  id: string;
  here: boolean;
  ready: boolean;
  version: string;
  started: number;
  tables: number;
  sockets: number;
  moves: number;
  delay: number;
  processor: number;
  memory: number;
}

export interface Operations {
  now: number;
  started: number;
  outage: string | null;
  load: Series;
  interval: number;
  sockets: number;
  database: Census | null;
  live_tables: number;
  tables: LiveTable[];
  connected_people: number;
  people: ConnectedPerson[];
  refusals: Refusal[];
  nodes?: NodeFacts[];
}

export interface PersonDevices {
  id: string;
  name: string;
  bot: boolean;
  created: number;
  devices: Device[];
}

export interface Refusal {
  first: number;
  last: number;
  count: number;
  status: number;
  code: string;
  address: string;
  route: string;
}

export interface Series {
  at: number[];
  requests: number[];
  frames: number[];
  moves: number[];
  delay: number[];
  commit: number[];
  waiting: number[];
  processor: number[];
  memory: number[];
  sockets: number[];
  tables: number[];
}

export interface ServerFacts {
  versions: Versions;
  backup: "download" | "pg_dump";
  settings: Setting[];
  limits: Record<string, string>;
}

export interface Setting {
  name: string;
  value: string;
  source: "command line" | "default" | "environment" | "file";
}

export interface SignedOut {
  devices: number;
}

export interface Versions {
  parlour: string;
  python: string;
  system: string;
  database: string;
  schema: number;
}
