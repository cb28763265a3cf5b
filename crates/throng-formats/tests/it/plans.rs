//! Plans of every format: what they look like, and from each to each.

use throng_formats::tracker::ScenarioType;
use throng_formats::{
    Context, FormatKind, LorrYear, PlanDocument, PlanVizOptions, Scenario, UpDown, detect, kei18,
    li_paths, lorr, multi_robot, planviz, read_plan, tracker, write_plan,
};
use throng_model::{Cell, CellIndex, Map, MovementProfile, Plan, Unit};

fn path(cells: &[(u16, u16)]) -> Vec<Cell> {
    cells.iter().copied().map(Cell::from).collect()
}

fn plan(paths: &[&[(u16, u16)]]) -> Plan {
    Plan { paths: paths.iter().map(|cells| path(cells)).collect() }
}

/// A wall in the middle, and two units that go around it on different sides.
fn example() -> (Map, Scenario, PlanDocument) {
    let map = throng_testkit::map(
        "...
         .@.
         ...",
    );
    let plan = plan(&[&[(0, 0), (0, 1), (0, 2), (1, 2)], &[(2, 2), (2, 2), (2, 1), (2, 0)]]);
    let goals = path(&[(1, 2), (2, 0)]);
    let units = [(Cell::new(0, 0), goals[0], 3.0), (Cell::new(2, 2), goals[1], 2.0)];
    let scenario = Scenario::new("town.map", &map, &units);
    let mut document = PlanDocument::new(plan).with_goals(goals);
    document.map_file = Some("town.map".to_owned());
    (map, scenario, document)
}

fn plan_kinds() -> impl Iterator<Item = FormatKind> + Clone {
    FormatKind::ALL.into_iter().filter(|kind| kind.is_plan())
}

#[test]
fn every_plan_format_converts_into_every_other() {
    let (map, scenario, document) = example();
    let context = Context {
        map: Some(&map),
        scenario: Some(&scenario),
        scenario_name: Some("folder/town-random-3.scen"),
        units: Some(2),
    };
    let options = PlanVizOptions::default();
    for from in plan_kinds() {
        let text = write_plan(from, &document, &context, options).unwrap();
        assert_eq!(detect(text.as_bytes()), Some(from), "{text}");
        let read = read_plan(text.as_bytes(), &context).unwrap();
        for to in plan_kinds() {
            let text = write_plan(to, &read, &context, options).unwrap();
            let again = read_plan(text.as_bytes(), &context).unwrap();
            assert_eq!(again.plan, document.plan, "{from} to {to}:\n{text}");
            assert_eq!(again.starts, document.starts, "{from} to {to}");
            assert_eq!(again.goals, document.goals, "{from} to {to}");
        }
    }
}

#[test]
fn formats_have_names() {
    for kind in FormatKind::ALL {
        assert_eq!(kind.name().parse::<FormatKind>().unwrap(), kind);
    }
    let error = "word".parse::<FormatKind>().unwrap_err().to_string();
    assert!(error.starts_with("no format 'word'; use one of map, scen, kei18"), "{error}");
}

#[test]
fn files_that_hold_no_plan_are_told_apart_too() {
    let cases = [
        ("8,9\n", Some(FormatKind::Map)),
        ("\u{feff}type octile\r\n", Some(FormatKind::Map)),
        ("version 1\n", Some(FormatKind::Scenario)),
        ("61 maps/AR.map 512 512 210 395 87 201 244.95", Some(FormatKind::Scenario)),
        ("map:\n  dimensions: [1, 1]\nagents: []\n", Some(FormatKind::MultiRobotProblem)),
        ("agents:\n- name: a\nmap:\n", Some(FormatKind::MultiRobotProblem)),
        ("{\"agentFile\": \"a\"}", Some(FormatKind::LorrProblem)),
        ("agents: 2\nsolution_plan: [u]\n", Some(FormatKind::TrackerYaml)),
        ("\n\nAgent 0:(1,1)->", Some(FormatKind::LiPaths)),
        ("0:(1,1),\n", Some(FormatKind::Kei18)),
        ("3\n1\n2\n3\n", None),
        ("{}", None),
    ];
    for (text, expected) in cases {
        assert_eq!(detect(text.as_bytes()), expected, "{text:?}");
    }
}

#[test]
fn kei18_is_written_as_its_viewer_wants_it() {
    let (_, _, mut document) = example();
    document.solver = Some("throng whca".to_owned());
    document.metadata.insert("seed".to_owned(), "7".to_owned());
    document.metadata.insert("note".to_owned(), "a=b".to_owned());
    let text = kei18::write(&document).unwrap();
    let expected = "agents=2\nmap_file=town.map\nsolver=throng whca\nsolved=1\nsoc=6\nmakespan=3\n\
                    sum_of_loss=6\nseed=7\nnote=a=b\nstarts=(0,0),(2,2),\ngoals=(1,2),(2,0),\n\
                    solution=\n0:(0,0),(2,2),\n1:(0,1),(2,2),\n2:(0,2),(2,1),\n3:(1,2),(2,0),\n";
    assert_eq!(text, expected);
    let read = kei18::read(text.as_bytes()).unwrap();
    assert_eq!(kei18::write(&read).unwrap(), text);
    assert_eq!(read.metadata["note"], "a=b");
}

#[test]
fn kei18_accepts_headings_tasks_and_unsolved_results() {
    let headings = b"0:(0,0,Y_MINUS),(1,1,X_PLUS),\r\n1:(0,1,Y_MINUS),(1,1,X_PLUS)\r\n";
    let expected = plan(&[&[(0, 0), (0, 1)], &[(1, 1), (1, 1)]]);
    assert_eq!(kei18::read(headings).unwrap().plan, expected);
    let tasks = b"0:(0,0)->(5,5):3,(1,1)->(1,1):-1,\n1:(0,1)->(5,5):3,(1,1)->(1,1):-1,\n";
    assert_eq!(kei18::read(tasks).unwrap().plan, expected);
    let unsolved = b"agents=2\nsolved=0\nstarts=(0,0),(1,1),\ngoals=(0,1),(1,0),\nsolution=\n";
    let document = kei18::read(unsolved).unwrap();
    assert_eq!(document.plan, Plan { paths: vec![vec![], vec![]] });
    let text = kei18::write(&document).unwrap();
    assert_eq!(kei18::write(&kei18::read(text.as_bytes()).unwrap()).unwrap(), text);
}

/// Found by fuzzing: `starts=` of no units was written for units without starts.
#[test]
fn kei18_without_starts_reads_back() {
    let text = kei18::write(&kei18::read(b"agents=2\n").unwrap()).unwrap();
    assert_eq!(kei18::read(text.as_bytes()).unwrap().plan.paths.len(), 2);
}

#[test]
fn costs_count_until_the_last_arrival() {
    let plan = plan(&[&[(0, 0), (1, 0), (0, 0), (1, 0), (1, 0)], &[(5, 5)]]);
    let document = PlanDocument::new(plan).with_goals(path(&[(1, 0), (5, 5)]));
    assert_eq!(document.sum_of_costs(), Some(3));
    assert_eq!(document.makespan(), 3);
    assert_eq!(document.is_solved(), Some(true));
    let text = kei18::write(&document).unwrap();
    assert!(text.contains("\nsum_of_loss=3\n"), "the wait on the goal is free: {text}");
    assert!(text.ends_with("4:(1,0),(5,5),\n"), "a short path waits at its end: {text}");
}

#[test]
fn a_plan_without_a_path_is_refused_by_name() {
    let document = PlanDocument::new(plan(&[&[(0, 0)], &[]]));
    let error = kei18::write(&document).unwrap_err().to_string();
    assert!(error.starts_with("unit 1 has no path; "), "{error}");
}

#[test]
fn jiaoyang_lis_paths_have_the_row_first() {
    let expected = plan(&[&[(1, 0), (2, 0)], &[], &[(0, 3)]]);
    for text in [
        "Agent 0: (0,1)->(0,2)->\nAgent 1: \nAgent 2: (3,0)->\n",
        "Agent 0:(0,1)->(0,2)->\r\nAgent 1:\r\nAgent 2:(3,0)",
    ] {
        let document = li_paths::read(text.as_bytes()).unwrap();
        assert_eq!(document.plan, expected);
        let written = li_paths::write(&document).unwrap();
        assert_eq!(written, "Agent 0: (0,1)->(0,2)->\nAgent 1: \nAgent 2: (3,0)->\n");
    }
}

/// Found by fuzzing: no units gave an empty file, which is no path file.
#[test]
fn jiaoyang_lis_paths_of_no_units_are_not_written() {
    let error = li_paths::write(&PlanDocument::default()).unwrap_err().to_string();
    assert!(error.starts_with("a plan of no units; "), "{error}");
}

#[test]
fn multi_robot_problems_with_and_without_python_tags() {
    let text = "map:\n  dimensions: [3, 2]\n  obstacles:\n    - !!python/tuple [1, 1]\nagents:\n  \
                - name: agent0\n    start: [0, 0]\n    goal: [2, 0]\n";
    let problem = multi_robot::read_problem(text.as_bytes()).unwrap();
    assert_eq!(problem.units, [Unit::new((0, 0), (2, 0))]);
    assert!(!problem.map.is_passable(Cell::new(1, 1)));
    let written = multi_robot::write_problem(&problem).unwrap();
    assert_eq!(written, text.replace("!!python/tuple ", ""));
    let flow = "{map: {dimensions: [3, 2]}, agents: []}";
    assert!(multi_robot::read_problem(flow.as_bytes()).unwrap().units.is_empty());
}

#[test]
fn multi_robot_problems_have_no_terrain_costs() {
    let map = throng_testkit::map(".3");
    let problem = throng_model::Problem::new(map, MovementProfile::four_connected(), Vec::new());
    let error = multi_robot::write_problem(&problem).unwrap_err().to_string();
    assert!(error.starts_with("cell (1,0) has a cost factor; "), "{error}");
}

#[test]
fn multi_robot_schedules_order_by_number_and_fill_gaps() {
    let text = "statistics:\n  cost: 12\n  runtime: 0.5\nschedule:\n  agent10:\n    - {x: 9, y: 9, t: 0}\n  \
                agent2:\n    - {x: 0, y: 0, t: 0}\n    - {x: 1, y: 0, t: 3}\n";
    let document = multi_robot::read_schedule(text.as_bytes()).unwrap();
    let expected = plan(&[&[(0, 0), (0, 0), (0, 0), (1, 0)], &[(9, 9)]]);
    assert_eq!(document.plan, expected);
    let written = multi_robot::write_schedule(&document);
    assert!(written.starts_with("statistics:\n  cost: 12\n  makespan: 3\n  runtime: 0.5\n"));
    let named = text.replace("agent2", "bob");
    let document = multi_robot::read_schedule(named.as_bytes()).unwrap();
    assert_eq!(document.plan.paths[0], path(&[(9, 9)]), "other names keep the file's order");
}

fn one_unit(start: (u16, u16), goal: (u16, u16)) -> Scenario {
    let map = Map::empty(8, 8).unwrap();
    Scenario::new("town.map", &map, &[(start.into(), goal.into(), 1.0)])
}

#[test]
fn tracker_strings_as_in_its_documentation() {
    let scenario = one_unit((0, 0), (1, 0));
    let context = Context { scenario: Some(&scenario), ..Context::default() };
    let expected = plan(&[&[(0, 0), (0, 1), (1, 1), (2, 1), (2, 0), (2, 0), (1, 0)]]);
    for moves in ["drruwl", "1d2ruwl"] {
        let text = format!("{{\"agents\": 1, \"solution_plan\": \"{moves}\\n\"}}");
        let document = read_plan(text.as_bytes(), &context).unwrap();
        assert_eq!(document.plan, expected);
        let named = Context { scenario_name: Some("town-even-2.scen"), ..context };
        let submission = tracker::Submission::new(&document, &named).unwrap();
        assert_eq!(submission.solution_plan, ["d2ruwl"]);
        assert_eq!(submission.scen_type, Some(ScenarioType::Even));
        assert_eq!((submission.map_name.as_deref(), submission.type_id), (Some("town"), Some(2)));
        assert_eq!(submission.solution_cost, Some(6.0));
        let unnamed = tracker::Submission::new(&document, &context).unwrap_err().to_string();
        assert!(unnamed.starts_with("map_name is unknown; "), "{unnamed}");
    }
}

#[test]
fn tracker_files_in_all_three_languages() {
    let json = r#"[{"map_name": "town", "scen_type": "random", "type_id": 1, "agents": 2,
        "lower_cost": 3, "solution_cost": 4.5, "flip_up_down": true, "solution_plan": ["", "2ru"]},
        {"agents": 1, "solution_plan": ["w"]}]"#;
    let submissions = tracker::read(json.as_bytes()).unwrap();
    assert_eq!(submissions[0].solution_plan, ["", "2ru"]);
    let writers = [tracker::write_json, tracker::write_yaml, tracker::write_csv];
    for write in writers {
        let text = write(&submissions).unwrap();
        assert_eq!(tracker::read(text.as_bytes()).unwrap(), submissions, "{text}");
    }
    let documents = "agents: 1\nsolution_plan: w\n---\nagents: 2\nsolution_plan: |\n  2ru\n  w\n";
    let read = tracker::read(documents.as_bytes()).unwrap();
    assert_eq!(read[1].solution_plan, ["2ru", "w"]);
    let download = "\u{feff}agents,lower_cost,lower_date,solution_cost,solution_date,path\r\n\
                    1,2,2020-01-01,2,2020-01-01,rr\r\n2,4,,4,,\"rr\nll\"\r\n";
    let read = tracker::read(download.as_bytes()).unwrap();
    assert_eq!(read[1].solution_plan, ["rr", "ll"]);
    assert_eq!((read[1].lower_cost, &read[1].map_name), (Some(4.0), &None));
}

/// Up and down are decided by the goal, by the walls, by the edge, or else as declared.
#[test]
fn the_way_up_is_found_by_walking() {
    let open = Map::empty(8, 8).unwrap();
    let mut walled = open.clone();
    walled.set(Cell::new(3, 4), Map::WALL).unwrap();
    let cases = [
        ((3, 3), (3, 4), None, (3, 4), "the goal is below"),
        ((3, 3), (3, 2), None, (3, 2), "the goal is above"),
        ((3, 3), (7, 7), Some(&walled), (3, 2), "a wall is below"),
        ((3, 0), (7, 7), Some(&open), (3, 1), "the edge is above"),
        ((3, 7), (7, 7), Some(&open), (3, 6), "the edge is below"),
        ((3, 3), (7, 7), Some(&open), (3, 4), "nothing tells"),
    ];
    for (start, goal, map, expected, why) in cases {
        let scenario = one_unit(start, goal);
        let context = Context { map, scenario: Some(&scenario), ..Context::default() };
        let read = |text: &str| read_plan(text.as_bytes(), &context).unwrap().plan;
        let tracker = read("{\"agents\": 1, \"solution_plan\": [\"d\"]}");
        assert_eq!(tracker, plan(&[&[start, expected]]), "tracker: {why}");
        let flipped = read("{\"agents\": 1, \"flip_up_down\": true, \"solution_plan\": [\"u\"]}");
        assert_eq!(flipped, plan(&[&[start, expected]]), "tracker, flipped: {why}");
        let planviz = read(&format!(
            "{{\"actionModel\": \"MAPF\", \"version\": \"2024 LoRR\", \"start\": [[{}, {}, \"E\"]], \
             \"actualPaths\": [\"U\"], \"tasks\": [[0, 0, [{}, {}]]], \"actualSchedule\": [\"0:0\"]}}",
            start.1, start.0, goal.1, goal.0
        ));
        assert_eq!(planviz, plan(&[&[start, expected]]), "planviz: {why}");
    }
}

#[test]
fn planviz_files_of_both_years_and_both_ways_up() {
    let (map, _, document) = example();
    let context = Context { map: Some(&map), ..Context::default() };
    for year in [LorrYear::Y2023, LorrYear::Y2024] {
        for up_down in [UpDown::UpAddsRow, UpDown::UpSubtractsRow] {
            let text =
                planviz::write(&document, PlanVizOptions { up_down, year, all_valid: Some(true) })
                    .unwrap();
            let first = if up_down == UpDown::UpAddsRow { "U,U,R" } else { "D,D,R" };
            assert!(text.contains(&format!("\"actualPaths\":[\"{first}\"")), "{text}");
            assert_eq!(text.contains("\"version\":\"2024 LoRR\""), year == LorrYear::Y2024);
            let read = planviz::read(text.as_bytes(), &context).unwrap();
            assert_eq!(read.plan, document.plan, "{year:?} {up_down:?}");
            assert_eq!(read.goals, document.goals, "{year:?} {up_down:?}");
        }
    }
}

#[test]
fn planviz_golden() {
    let (_, _, document) = example();
    let head = "{\"actionModel\":\"MAPF\",\"AllValid\":\"Yes\",";
    let body = "\"teamSize\":2,\"start\":[[0,0,\"E\"],[2,2,\"E\"]],\"numTaskFinished\":2,\
                \"sumOfCost\":6,\"makespan\":3,\"actualPaths\":[\"U,U,R\",\"W,D,D\"],\
                \"plannerPaths\":[\"U,U,R\",\"W,D,D\"],\"plannerTimes\":[],\"errors\":[],";
    let of_2023 = "\"events\":[[[0,0,\"assigned\"],[0,3,\"finished\"]],\
                   [[1,0,\"assigned\"],[1,3,\"finished\"]]],\"tasks\":[[0,2,1],[1,0,2]]}";
    let of_2024 = "\"scheduleErrors\":[],\"actualSchedule\":[\"0:0\",\"0:1\"],\
                   \"plannerSchedule\":[\"0:0\",\"0:1\"],\"events\":[[3,0,0,1],[3,1,1,1]],\
                   \"tasks\":[[0,0,[2,1]],[1,0,[0,2]]]}";
    let write = |year| {
        planviz::write(
            &document,
            PlanVizOptions { year, all_valid: Some(true), ..PlanVizOptions::default() },
        )
        .unwrap()
    };
    assert_eq!(write(LorrYear::Y2023), format!("{head}{body}{of_2023}"));
    let version = "\"version\":\"2024 LoRR\",";
    assert_eq!(write(LorrYear::Y2024), format!("{head}{version}{body}{of_2024}"));
}

#[test]
fn planviz_units_that_turn() {
    // East, then clockwise to the south, counter-clockwise back, and a time-out.
    let text = r#"{"actionModel": "MAPF_T", "start": [[1, 1, "E"], [5, 5, "S", "W"]],
        "actualPaths": ["F,R,F,C,F,T", "F,W"], "errors": [[0, 1, 2, "x", 5]]}"#;
    let document = planviz::read(text.as_bytes(), &Context::default()).unwrap();
    let first: &[(u16, u16)] = &[(1, 1), (2, 1), (2, 1), (2, 2), (2, 2), (3, 2), (3, 2)];
    assert_eq!(document.plan, plan(&[first, &[(5, 5), (5, 6), (5, 6)]]));
    assert_eq!(document.goals, None);
}

/// Found by fuzzing: a unit could turn and walk past the largest map.
#[test]
fn planviz_units_that_turn_stay_within_the_limits() {
    let text = r#"{"actionModel": "MAPF_T", "start": [[4095, 0, "S"]], "actualPaths": ["F"]}"#;
    let error = planviz::read(text.as_bytes(), &Context::default()).unwrap_err().to_string();
    assert!(error.starts_with("unit 0 leaves every map from (0,4095); "), "{error}");
}

#[test]
fn formats_of_four_moves_refuse_diagonal_steps() {
    let document = PlanDocument::new(plan(&[&[(0, 0), (1, 1)]]));
    let error = planviz::write(&document, PlanVizOptions::default()).unwrap_err().to_string();
    assert!(error.starts_with("unit 0 goes from (0,0) to (1,1) at tick 1; "), "{error}");
}

#[test]
fn lorr_problems_and_their_lists() {
    let text = r#"{"mapFile": "m", "agentFile": "a", "taskFile": "t", "teamSize": 2,
        "numTasksReveal": 1.5, "version": "2024 LoRR", "somethingElse": [1]}"#;
    let problem = lorr::read_problem(text.as_bytes()).unwrap();
    let written = lorr::write_problem(&problem).unwrap();
    assert_eq!(lorr::read_problem(written.as_bytes()).unwrap(), problem);
    let agents = lorr::read_agents(b"# n\n3\n0\n7,1\r\n8\n").unwrap();
    assert_eq!(agents, [CellIndex(0), CellIndex(7), CellIndex(8)]);
    let tasks = lorr::read_tasks(b"2\n2,4\n6\n").unwrap();
    assert_eq!(lorr::write_tasks(&tasks), "2\n2,4\n6\n");
    assert_eq!(lorr::write_agents(&agents), "3\n0\n7\n8\n");
    let map = Map::empty(3, 3).unwrap();
    let open = |map: &Map| problem.opening(map, &agents, &tasks, MovementProfile::four_connected());
    let units = open(&map).unwrap().units;
    assert_eq!(units, [Unit::new((0, 0), (2, 0)), Unit::new((1, 2), (0, 2))]);
    let small = open(&Map::empty(3, 2).unwrap()).unwrap_err().to_string();
    assert!(small.starts_with("location 7 is off the map of 3 x 2 cells; "), "{small}");
}
