//! The catalogue of bad input that broke other tools: every entry is refused, with its place.

use throng_formats::{
    Context, FormatError, MapOptions, kei18, li_paths, lorr, map, multi_robot, planviz, read_plan,
    scen, tracker,
};

/// Each input gives the expected place and problem, and some remedy.
fn check<T: std::fmt::Debug>(
    read: impl Fn(&[u8]) -> Result<T, FormatError>,
    cases: &[(&[u8], &str)],
) {
    for (input, expected) in cases {
        let shown = String::from_utf8_lossy(&input[..input.len().min(200)]);
        let error = read(input).expect_err(&shown);
        let text = error.to_string();
        let place_and_problem = text.strip_suffix(&format!("; {}", error.remedy)).unwrap();
        assert_eq!(place_and_problem, *expected, "for {shown}");
        assert!(!error.remedy.is_empty(), "no remedy for {shown}");
    }
}

fn read_map(bytes: &[u8]) -> Result<throng_model::Map, FormatError> {
    map::read(bytes, MapOptions::default())
}

#[test]
fn files_that_are_no_text() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "the file is empty"),
        (b" \r\n\n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"ab\n\x00\x01", "line 2, column 1: byte 0x00: this is not a text file"),
        (b"ab\ncd\xff", "line 2, column 3: byte 0xff: this is not a text file"),
        (b"\xff\xfet\x00", "the file is UTF-16 text"),
    ];
    check(read_map, cases);
    check(scen::read, cases);
    check(kei18::read, cases);
    check(li_paths::read, cases);
    check(multi_robot::read_problem, cases);
    check(multi_robot::read_schedule, cases);
    check(tracker::read, cases);
    check(|bytes| planviz::read(bytes, &Context::default()), cases);
    check(lorr::read_problem, cases);
    check(lorr::read_agents, cases);
    check(lorr::read_tasks, cases);
    check(|bytes| read_plan(bytes, &Context::default()), cases);
}

#[test]
fn maps_with_lying_headers() {
    check(
        read_map,
        &[
            (b"hello\n", "line 1, column 1: 'hello' in the header"),
            (b"2,3,4\n...\n", "line 1, column 1: a first line that is no header"),
            (b"2,x\n...\n", "line 1, column 3: width 'x' is not a whole number"),
            (b"type octile\nheight 1\nwidth 3\n", "line 4: the header has no end"),
            (b"type octile\nheight 1\nwidth 3\n...\n", "line 4, column 1: '...' in the header"),
            (b"type octile\nwidth 3\nmap\n...\n", "line 3, column 1: the header lacks the height"),
            (b"type octile\nheight 1\nmap\n.\n", "line 3, column 1: the header lacks the width"),
            (b"height 1\nheight 2\nwidth 3\nmap\n", "line 2, column 8: height is given twice"),
            (b"type hex\nheight 1\nwidth 1\nmap\n.", "line 1, column 6: a hexagonal map"),
            (b"height 0\nwidth 3\nmap\n", "line 1, column 8: height '0' is out of bounds"),
            (b"height -2\nwidth 3\nmap\n", "line 1, column 8: height '-2' is not a whole number"),
            (b"height NaN\nwidth 3\nmap\n", "line 1, column 8: height 'NaN' is not a whole number"),
            (b"height +2\nwidth 3\nmap\n", "line 1, column 8: height '+2' is not a whole number"),
            (
                b"height 4294967296\nwidth 1\nmap\n",
                "line 1, column 8: height '4294967296' is out of bounds",
            ),
            (
                b"height 1\nwidth 16777217\nmap\n",
                "line 2, column 7: width '16777217' is out of bounds",
            ),
            (
                b"height 1\nwidth 99999999999999999999999999\nmap\n",
                "line 2, column 7: width '999999999999999999999999...' is out of bounds",
            ),
        ],
    );
}

#[test]
fn maps_with_wrong_rows() {
    check(
        read_map,
        &[
            (
                b"type octile\nheight 2\nwidth 3\nmap\n...\n..\n",
                "line 6, column 3: row 1 has 2 of 3 cells",
            ),
            (
                b"type octile\nheight 3\nwidth 3\nmap\n...\n\n...\n",
                "line 6, column 1: row 1 has 0 of 3 cells",
            ),
            (
                b"type octile\nheight 4096\nwidth 4096\nmap\n",
                "line 5: the map ends after 0 of 4096 rows",
            ),
            (
                b"type octile\nheight 2\nwidth 3\nmap\n...\n",
                "line 6: the map ends after 1 of 2 rows",
            ),
            (
                b"type octile\nheight 1\nwidth 3\nmap\n...\n...\n",
                "line 6, column 1: a row past the height of 1",
            ),
            (b"1,3\n.#.\n", "line 2, column 2: '#' is no MovingAI terrain"),
            ("1,3\n.é.\n".as_bytes(), "line 2, column 2: 'é' is no MovingAI terrain"),
        ],
    );
    let spaced =
        |bytes: &[u8]| map::read(bytes, MapOptions { passable: throng_formats::Passable::Mapf });
    check(spaced, &[(b"1,3\n. .\n", "line 2, column 2: ' ' is not a visible ASCII character")]);
}

#[test]
fn a_line_of_100_megabytes_is_refused_in_a_short_message() {
    let long = vec![b'7'; 100 << 20];
    for error in [
        read_map(&long).unwrap_err(),
        scen::read(&long).unwrap_err(),
        kei18::read(&long).unwrap_err(),
        li_paths::read(&long).unwrap_err(),
    ] {
        assert!(error.to_string().len() < 300, "{error}");
    }
}

#[test]
fn no_line_of_a_scenario_is_skipped() {
    let row = |field: usize, value: &str| {
        let mut fields = ["0", "a.map", "8", "9", "1", "1", "2", "2", "1.5"];
        fields[field] = value;
        format!("version 1\n{}\n", fields.join("\t"))
    };
    let cases = [
        (0, "x", "1: bucket 'x' is not a whole number"),
        (0, "-1", "1: bucket '-1' is not a whole number"),
        (1, "", "3: the map name is missing: field 2 of 9"),
        (2, "0", "9: map width '0' is out of bounds"),
        (3, "16777217", "11: map height '16777217' is out of bounds"),
        (4, "8", "13: start x '8' is out of bounds"),
        (4, "-1", "13: start x '-1' is not a whole number"),
        (5, "1.5", "15: start y '1.5' is not a whole number"),
        (6, "NaN", "17: goal x 'NaN' is not a whole number"),
        (7, "9", "19: goal y '9' is out of bounds"),
        (8, "NaN", "21: optimal length 'NaN' is no length"),
        (8, "inf", "21: optimal length 'inf' is no length"),
        (8, "-1", "21: optimal length '-1' is no length"),
        (8, "1e999", "21: optimal length '1e999' is no length"),
        (8, "", "21: the optimal length is missing: field 9 of 9"),
        (8, "1.5\t9", "25: a tenth field: a row has 9"),
    ];
    for (field, value, expected) in cases {
        check(scen::read, &[(row(field, value).as_bytes(), &format!("line 2, column {expected}"))]);
    }
    check(
        scen::read,
        &[
            (b"version 2\n", "line 1, column 1: scenario version '2'"),
            (b"version 1\nhello\n", "line 2, column 6: the map name is missing: field 2 of 9"),
            (
                b"version 1\n0 my map.map 8 8 1 1 2 2 1.5\n",
                "line 2, column 26: a tenth field: a row has 9",
            ),
            (
                b"version 1\n0\ta.map\t8\t8\t1\t1\t2\n",
                "line 2, column 18: the goal y is missing: field 8 of 9",
            ),
        ],
    );
}

#[test]
fn kei18_results() {
    check(
        kei18::read,
        &[
            (b"hello\n", "line 1, column 1: 'hello' is no key=value"),
            (b"solver=x\n", "no agents and no solution"),
            (b"=x\n", "line 1, column 1: '=x' is no key=value"),
            (b" 5=x\n", "line 1, column 1: ' 5=x' is no key=value"),
            (b"solution=x\n", "line 1, column 1: 'solution=x' is no key=value"),
            (b"a=1\na=2\n", "line 2, column 1: 'a' is given twice"),
            (b"agents=100001\n", "line 1, column 8: agents '100001' is out of bounds"),
            (b"agents=x\n", "line 1, column 8: agents 'x' is not a whole number"),
            (b"agents=2\nsolution=\n0:(0,0),\n", "line 1: agents says 2 units, the solution has 1"),
            (
                b"starts=(0,0),(1,1),\nsolution=\n0:(0,0),\n",
                "line 1: starts says 2 units, the solution has 1",
            ),
            (b"0:(0,0),\n2:(0,0),\n", "line 2, column 1: tick 2 where tick 1 is due"),
            (b"0:(0,0),(1,1),\n1:(0,0),\n", "line 2, column 3: 1 cells where tick 0 has 2"),
            (b"0:(0,0),\n\nx\n", "line 3, column 1: 'x' is no key=value"),
            (b"solution=\nx\n", "line 2, column 1: tick 'x' is not a whole number"),
            (b"9999999999:(0,0),\n", "line 1, column 1: tick '9999999999' is out of bounds"),
            (b"0:(0,0)(1,1),\n", "line 1, column 8: '(' where ',' is expected"),
            (b"0:(1,0\n", "line 1, column 7: the end of the line where ')' is expected"),
            (b"0:(NaN,0),\n", "line 1, column 4: x 'NaN' is not a whole number"),
            (b"0:(0,-1),\n", "line 1, column 6: y '-1' is not a whole number"),
            (b"0:(0,4096),\n", "line 1, column 6: y '4096' is out of bounds"),
            (b"0:(1,0,UP),\n", "line 1, column 8: heading 'UP'"),
            (b"0:(1,0)->(1,0):x,\n", "line 1, column 16: task 'x' is not a whole number"),
        ],
    );
}

#[test]
fn jiaoyang_lis_paths() {
    check(
        li_paths::read,
        &[
            (b"Path\n", "line 1, column 1: 'P' where 'Agent ' is expected"),
            (b"Agent 1: (0,0)->\n", "line 1, column 7: agent 1 where agent 0 is due"),
            (b"Agent 0 (0,0)->\n", "line 1, column 7: agent '0 (0,0)->' is not a whole number"),
            (b"Agent 0: (0,-1)->\n", "line 1, column 13: col '-1' is not a whole number"),
            (b"Agent 0: (0.5,0)->\n", "line 1, column 11: row '0.5' is not a whole number"),
            (b"Agent 0: (0,0)(0,1)\n", "line 1, column 15: '(' where '->' is expected"),
        ],
    );
}

#[test]
fn multi_robot_problems() {
    let good = "map:\n  dimensions: [4, 2]\n  obstacles:\n    - [1, 1]\nagents:\n  - name: a\n    \
                start: [0, 0]\n    goal: [2, 0]\n";
    assert!(multi_robot::read_problem(good.as_bytes()).is_ok());
    let cases = [
        ("[4, 2]", "[0, 2]", "line 2, column 16: 0 is outside 1 to 4096"),
        ("[4, 2]", "[99999999999, 2]", "line 2, column 16: 99999999999 is outside 1 to 4096"),
        ("[1, 1]", "[-1, 1]", "line 4, column 8: -1 is outside 0 to 4095"),
        ("[1, 1]", "[.nan, 1]", "line 4, column 8: not a whole number"),
        ("[1, 1]", "[9, 1]", "cell (9,1) is off the map: it has columns 0..4 and rows 0..2"),
        ("[1, 1]", "&a [1, 1]", "line 4, column 10: an anchor: throng reads none"),
        ("goal:", "potentialGoals:", "line 8, column 5: missing field `goal`"),
        ("map:", "roadmap:", "line 5, column 1: missing field `map`"),
        ("start: [0, 0]", "start: [0, 1e99]", "line 7, column 16: not a whole number"),
    ];
    for (from, to, expected) in cases {
        check(multi_robot::read_problem, &[(good.replacen(from, to, 1).as_bytes(), expected)]);
    }
}

#[test]
fn multi_robot_schedules() {
    let good = "schedule:\n  agent0:\n    - x: 0\n      y: 0\n      t: 0\n    - x: 1\n      y: 0\n      \
                t: 3\n  agent1: []\n";
    assert!(multi_robot::read_schedule(good.as_bytes()).is_ok());
    let cases = [
        ("t: 0", "t: 1", "'agent0': t 1 after 0 ticks"),
        ("t: 3", "t: 0", "'agent0': t 0 after 1 ticks"),
        ("t: 3", "t: 4000000000", "line 8, column 10: 4000000000 is outside 0 to 1048576"),
        ("t: 3", "t: -1", "line 8, column 10: -1 is outside 0 to 1048576"),
        ("x: 1", "x: .inf", "line 6, column 10: not a whole number"),
        ("x: 1", "v: 1", "line 8, column 7: missing field `x`"),
        ("schedule", "plan", "line 1, column 1: missing field `schedule`"),
        ("agent1", "agent0", "line 9, column 3: duplicate mapping key: agent0"),
    ];
    for (from, to, expected) in cases {
        check(multi_robot::read_schedule, &[(good.replacen(from, to, 1).as_bytes(), expected)]);
    }
}

#[test]
fn tracker_submissions() {
    check(
        tracker::read,
        &[
            (b"{}", "line 1, column 2: missing field `agents`"),
            (b"{\"agents\":1}", "line 1, column 12: missing field `solution_plan`"),
            (
                b"{\"agents\":-1,\"solution_plan\":[]}",
                "line 1, column 12: invalid value: integer `-1`, expected usize",
            ),
            (
                b"{\"agents\":1,\"scen_type\":\"odd\",\"solution_plan\":[]}",
                "line 1, column 29: unknown variant `odd`, expected `even` or `random`",
            ),
            (b"{\"agents\":1,\"solution_cost\":-2,\"solution_plan\":[]}", "plan 0: -2 is no cost"),
            (
                b"{\"agents\":100001,\"solution_plan\":[]}",
                "plan 0: 100001 agents: the limit is 100000",
            ),
            (b"- agents: 1\n  lower_cost: .nan\n  solution_plan: [w]\n", "plan 0: NaN is no cost"),
            (b"- agents: 1\n", "line 1, column 3: missing field `solution_plan`"),
            (b"agents,path\n1,\"rr\n", "line 2: a quoted field has no end"),
            (b"agents,path\n1,\"rr\"x\n", "line 2: text after a quoted field"),
            (b"agents,path\n1\n", "line 2: 1 fields where the header has 2"),
            (b"agents,path\n1,r\nx,r\n", "line 3: agents 'x' does not fit"),
            (b"agents,path,flip_up_down\n1,r,maybe\n", "line 2: flip_up_down 'maybe'"),
        ],
    );
}

#[test]
fn tracker_move_strings() {
    let scenario = scen::read(b"0\ta.map\t8\t8\t1\t1\t2\t2\t1.5\n").unwrap();
    let context = Context { scenario: Some(&scenario), ..Context::default() };
    let read = |bytes: &[u8]| read_plan(bytes, &context);
    let submit = |agents: usize, plan: &str| {
        format!("{{\"agents\":{agents},\"solution_plan\":[{plan}]}}").into_bytes()
    };
    let cases = [
        (1, "\"rxr\"", "unit 0: 'x' is no move"),
        (1, "\"r3\"", "unit 0: the count 3 has no move after it"),
        (1, "\"99999999999999r\"", "unit 0: a path past tick 1048576"),
        (1, "\"1048577w\"", "unit 0: a path past tick 1048576"),
        (1, "\"9l\"", "unit 0 leaves every map from (0,1) at tick 2"),
        (1, "\"r\",\"r\"", "2 paths for 1 agents"),
        (2, "\"r\",\"r\"", "2 units asked for, the scenario has 1"),
    ];
    for (agents, plan, expected) in cases {
        check(read, &[(&submit(agents, plan), expected)]);
    }
    let no_context = |bytes: &[u8]| read_plan(bytes, &Context::default());
    check(no_context, &[(&submit(1, "\"r\""), "move strings do not contain the starts")]);
    let two = b"agents,path\n1,r\n1,l\n";
    check(read, &[(two, "the file holds 2 plans")]);
    let five = |bytes: &[u8]| read_plan(bytes, &Context { units: Some(5), ..context });
    check(five, &[(two, "none of the 2 plans has this number of units")]);
}

#[test]
fn lorr_outputs() {
    let good =
        r#"{"actionModel": "MAPF", "teamSize": 1, "start": [[0, 0, "E"]], "actualPaths": ["R,R"]}"#;
    let read = |bytes: &[u8]| planviz::read(bytes, &Context::default());
    assert!(read(good.as_bytes()).is_ok());
    let cases = [
        (
            "\"MAPF\"",
            "\"X\"",
            "line 1, column 19: unknown variant `X`, expected `MAPF` or `MAPF_T`",
        ),
        ("0, 0, \"E\"", "0", "line 1, column 52: a start needs row, column, heading"),
        ("0, 0, \"E\"", "0, -1, \"E\"", "line 1, column 57: -1 is outside 0 to 4095"),
        ("0, 0, \"E\"", "0, 1e400, \"E\"", "line 1, column 58: number out of range"),
        ("0, 0, \"E\"", "0, 0, \"Q\"", "line 1, column 60: heading 'Q' is none of ESWN"),
        ("R,R", "L", "unit 0 leaves every map from (0,0) at tick 1"),
        ("R,R", "F", "unit 0: 'F' is no action of this model"),
        (": 1", ": 2", "teamSize says 2 units, start has 1"),
        ("\"R,R\"", "\"R\", \"R\"", "paths says 2 units, start has 1"),
        ("\"teamSize\"", "\"version\": \"2026 LoRR\", \"teamSize\"", "version '2026 LoRR'"),
        ("actualPaths", "paths", "neither actualPaths nor plannerPaths"),
        ("]}", "]", "line 1, column 85: EOF while parsing an object"),
    ];
    for (from, to, expected) in cases {
        check(read, &[(good.replacen(from, to, 1).as_bytes(), expected)]);
    }
}

#[test]
fn lorr_problems() {
    let head = "{\"mapFile\":\"a\",\"agentFile\":\"b\",\"taskFile\":\"c\",\"teamSize\":";
    let with = |rest: &str| format!("{head}{rest}}}").into_bytes();
    check(
        lorr::read_problem,
        &[
            (b"{}", "line 1, column 2: missing field `mapFile`"),
            (&with("100001"), "teamSize 100001: the limit is 100000"),
            (&with("1,\"version\":\"2026 LoRR\""), "version '2026 LoRR'"),
            (&with("1,\"numTasksReveal\":-1"), "numTasksReveal -1"),
        ],
    );
    check(
        lorr::read_agents,
        &[
            (b"# comment\n", "no count of agents"),
            (b"x\n", "line 1, column 1: agents 'x' is not a whole number"),
            (b"100001\n", "line 1, column 1: agents '100001' is out of bounds"),
            (b"2\n1\n", "1 of 2 agents"),
            (b"1\n1\n2\n", "line 3, column 1: more than the 1 agents that the file begins with"),
            (b"1\n-1\n", "line 2, column 1: location '-1' is not a whole number"),
            (b"1\n16777216\n", "line 2, column 1: location '16777216' is out of bounds"),
        ],
    );
    check(lorr::read_tasks, &[(b"1\n,\n", "line 2, column 1: no location")]);
}

#[test]
fn a_file_without_a_plan_is_no_plan() {
    let read = |bytes: &[u8]| read_plan(bytes, &Context::default());
    check(
        read,
        &[
            (b"1,1\n.\n", "a file of format map holds no plan"),
            (b"version 1\n", "a file of format scen holds no plan"),
            (b"what is this\n", "no known plan format"),
        ],
    );
}
