//! Small valid files of every format, from which the mutants are made.

pub(crate) const MAPS: &[&[u8]] = &[
    b"type octile\nheight 4\nwidth 6\nmap\n......\n..@@..\n.G.SW.\nT.O2.9\n",
    b"2,3\r\n...\r\n.@.\r\n",
    b"\xef\xbb\xbftype tile\nwidth 2\nheight 1\nmap\n.ETRA\n\n",
    b"type octile\nheight 1\nwidth 3\nmap\n.E#\n",
];

pub(crate) const TERRAIN: &[&[u8]] = &[
    b"# a town\n. road 1\nF forest 3\n=  wooden bridge\t1\nW water blocked\n",
    b"\xef\xbb\xbfS swamp 255\r\n\r\n",
];

pub(crate) const SCENARIOS: &[&[u8]] = &[
    b"version 1\n0\ttown.map\t6\t4\t0\t0\t3\t0\t3\n0\ttown.map\t6\t4\t1\t0\t0\t2\t2.41421356\n\
      1\ttown.map\t6\t4\t5\t0\t5\t1\t4.5\n",
    b"version 1.0\n61 maps/AR.map 512 512 210 395 87 201 244.95\n",
    b"0\ta town.map\t8\t8\t1\t1\t2\t2\t1\t\r\n",
];

const KEI18_PLAIN: &[u8] = b"agents=2\nmap_file=town.map\nsolver=x\nsolved=1\nsoc=3\nmakespan=2\n\
      seed=0\nstarts=(0,0),(1,0),\ngoals=(0,1),(0,0),\nsolution=\n0:(0,0),(1,0),\n1:(0,1),(1,0),\n\
      2:(0,1),(0,0),\n";

pub(crate) const KEI18: &[&[u8]] = &[
    KEI18_PLAIN,
    b"0:(0,0,Y_MINUS),(1,1,X_PLUS),\r\n1:(0,1,Y_MINUS),(1,1,X_PLUS)\r\n",
    b"agents=1\nsolution=\n0:(0,0)->(5,5):3,\n1:(0,1)->(5,5):-1,\n",
    b"agents=2\nstarts=(0,0),(1,1),\nsolution=\n",
];

const LI_PATHS_PLAIN: &[u8] = b"Agent 0: (0,0)->(1,0)->(1,0)->\nAgent 1: (0,1)->(0,2)->\n";

pub(crate) const LI_PATHS: &[&[u8]] = &[LI_PATHS_PLAIN, b"Agent 0:(3,4)->(3,5)\r\nAgent 1:\r\n"];

pub(crate) const MULTI_ROBOT_PROBLEMS: &[&[u8]] = &[
    b"map:\n  dimensions: [4, 2]\n  obstacles:\n    - !!python/tuple [1, 1]\n    - [2, 1]\nagents:\n\
      \x20 - name: agent0\n    start: [0, 0]\n    goal: [2, 0]\n",
    b"{map: {dimensions: [3, 2], obstacles: []}, agents: [{name: a, start: [0, 0], goal: [1, 1]}]}",
];

const SCHEDULE: &[u8] = b"statistics:\n  cost: 2\n  runtime: 0.5\n  note: \"a: b\"\nschedule:\n\
      \x20 agent0:\n    - x: 0\n      y: 0\n      t: 0\n    - x: 0\n      y: 1\n      t: 2\n\
      \x20 agent1: []\n";

pub(crate) const MULTI_ROBOT_SCHEDULES: &[&[u8]] =
    &[SCHEDULE, b"schedule: {bob: [{x: 1, y: 2, t: 0}], agent1: [{x: 1, y: 2, t: 0}]}\n"];

const TRACKER_JSON_PLAIN: &[u8] = b"[{\"map_name\": \"town\", \"scen_type\": \"random\", \
      \"type_id\": 1, \"agents\": 2, \"lower_cost\": 3, \"solution_cost\": 4.5, \
      \"flip_up_down\": true, \"solution_plan\": [\"\", \"2ru\"]}]";

pub(crate) const TRACKER_JSON: &[&[u8]] =
    &[TRACKER_JSON_PLAIN, b"{\"agents\": 2, \"solution_plan\": \"3rw\\nld\\n\"}"];

const TRACKER_YAML_PLAIN: &[u8] =
    b"- map_name: town\n  scen_type: even\n  type_id: 1\n  agents: 2\n\
      \x20 solution_cost: 4\n  solution_plan:\n    - 2rd\n    - 'w'\n";

pub(crate) const TRACKER_YAML: &[&[u8]] = &[
    TRACKER_YAML_PLAIN,
    b"agents: 1\nsolution_plan: w\n---\nagents: 2\nsolution_plan: |\n  2ru\n  w\n",
];

const TRACKER_CSV_PLAIN: &[u8] = b"map_name,scen_type,type_id,agents,lower_cost,solution_cost,\
      solution_plan\ntown,even,1,2,3,4,\"2rd\nw\"\n\"to\"\"wn\",random,2,1,,,d\n";

pub(crate) const TRACKER_CSV: &[&[u8]] = &[
    TRACKER_CSV_PLAIN,
    b"\xef\xbb\xbfagents,lower_cost,lower_date,solution_cost,solution_date,path\r\n1,2,,2,,rr\r\n",
    b"agents,flip_up_down,path\n2,TRUE,u\\nd\n",
];

const PLANVIZ_2024: &[u8] = b"{\"actionModel\":\"MAPF\",\"version\":\"2024 LoRR\",\"teamSize\":2,\
      \"start\":[[0,0,\"E\"],[2,2,\"N/A\"]],\"actualPaths\":[\"U,U,R\",\"W,D,D\"],\
      \"plannerPaths\":[\"U,U,R\",\"W,D,T\"],\"actualSchedule\":[\"0:0\",\"0:-1,1:1\"],\
      \"events\":[[3,0,0,1]],\"tasks\":[[0,0,[2,1]],[1,0,[0,2]]]}";

pub(crate) const PLANVIZ: &[&[u8]] = &[
    PLANVIZ_2024,
    b"{\"actionModel\":\"MAPF\",\"start\":[[0,0,\"E\"],[2,2,\"E\"]],\"actualPaths\":[\"U,R\",\"D\"],\
      \"events\":[[[0,0,\"assigned\"],[0,3,\"finished\"]],[[1,0,\"assigned\"]]],\
      \"tasks\":[[0,2,1],[1,0,2]]}",
    b"{\"actionModel\": \"MAPF_T\", \"start\": [[1, 1, \"E\"], [5, 5, \"S\", \"W\"]],\
      \"plannerPaths\": [\"F,R,F,C,F,T\", \"F,W\"]}",
];

pub(crate) const LORR_PROBLEMS: &[&[u8]] = &[
    b"{\"mapFile\": \"m\", \"agentFile\": \"a\", \"taskFile\": \"t\", \"teamSize\": 2, \
      \"numTasksReveal\": 1.5, \"version\": \"2024 LoRR\"}",
    b"{\"mapFile\": \"m\", \"agentFile\": \"a\", \"taskFile\": \"t\", \"teamSize\": 2, \
      \"taskAssignmentStrategy\": \"greedy\"}",
];

pub(crate) const LORR_LISTS: &[&[u8]] = &[b"# n\n3\n0\n7,1\r\n8\n", b"2\n2,4\n6\n"];

pub(crate) const PLANS: &[&[u8]] = &[
    KEI18_PLAIN,
    LI_PATHS_PLAIN,
    SCHEDULE,
    TRACKER_JSON_PLAIN,
    TRACKER_YAML_PLAIN,
    b"agents,path\n2,\"2r\nw\"\n",
    PLANVIZ_2024,
];

/// Edits of valid snapshots and replays: see `worlds.rs`.
pub(crate) const WORLD_EDITS: &[&[u8]] = &[
    b"",
    b"\x00",
    b"\x01",
    b"\x00\x10\x00\x01\x00",
    b"\x01\x80\x01\x01\x00\x91\x01\x00\x07",
    b"\x00\xff\x00\x01\x00\x10\x01\x00\x7f\x18\x01\x02\x00\x40\x01\x03\x00",
];

pub(crate) const SCENES: &[&[u8]] = &[
    br#"{"version":1,"name":"two rooms","width":4,"height":2,"levels":2,
"obstacles":[{"name":"wall","kind":"wall","level":0,
"corners":[[1.9,0],[2.1,0],[2.1,1.2],[1.9,1.2]]}],
"zones":[{"name":"left","level":0,"corners":[[0,0],[2,0],[2,2],[0,2]]},
{"name":"right","level":0,"corners":[[2,0],[4,0],[4,2],[2,2]]},
{"name":"corner","level":0,"corners":[[0,0],[1,0],[0,1]]},
{"name":"attic","level":1,"corners":[[0,0],[2,0],[2,2],[0,2]]}],
"gates":[{"name":"door","kind":"door",
"sides":[{"zone":"left","at":[1.6,1.6]},{"zone":"right","at":[2.4,1.6]}]},
{"name":"stairs","kind":"stairs",
"sides":[{"zone":"left","at":[1,1]},{"zone":"attic","at":[1,1]}]}],
"items":[{"name":"orb","level":0,"at":[3,1]}],
"players":[{"name":"anna","level":0,"at":[1,1.5],"radius":0.12}]}"#,
    br#"{"version":1,"name":"field","width":3e1,"height":30.5,"levels":1,
"zones":[{"name":"field","level":0,"corners":[[0,0],[0,30],[30,30],[30,0]]}]}"#,
];
