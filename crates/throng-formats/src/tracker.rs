//! MAPF tracker's submissions: JSON, YAML or CSV, plans as strings of moves.
//!
//! ```json
//! [{"map_name": "town", "scen_type": "random", "type_id": 1, "agents": 2,
//!   "solution_cost": 3, "solution_plan": ["2r", "u"]}]
//! ```
//!
//! The moves are `u d l r w`, with an optional count before each: `5r2d3w`. `d` goes to the row
//! below. In old downloads `u` does, so the reader tries both (see [`UpDown`]).

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use throng_model::limits::{HORIZON_MAX, UNITS_MAX};
use throng_model::{Cell, Plan};

use crate::csv::{self, CsvField};
use crate::document::PlanSize;
use crate::steps::{Moves, Step, UpDown, moves};
use crate::text::{self, quote};
use crate::values::{from_json, from_yaml_documents, quoted};
use crate::{Context, FormatError, PlanDocument};

const EXPECTED: &str = "MAPF tracker submissions with map_name, scen_type, type_id, agents and \
                        solution_plan";

/// The two kinds of MAPF scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScenarioType {
    /// Path lengths evenly spread.
    Even,
    /// Starts and goals at random.
    Random,
}

impl ScenarioType {
    /// Its name in files and file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Even => "even",
            Self::Random => "random",
        }
    }
}

impl FromStr for ScenarioType {
    type Err = FormatError;
    fn from_str(name: &str) -> Result<Self, FormatError> {
        let known = [Self::Even, Self::Random].into_iter().find(|kind| kind.name() == name);
        let problem = || format!("scen_type {}", quote(name));
        known.ok_or_else(|| FormatError::new(problem(), "use even or random"))
    }
}

/// One submission: the plan of one instance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// The map's name, without file extension. Downloads of a single instance lack it.
    #[serde(default)]
    pub map_name: Option<String>,
    /// The kind of the scenario.
    #[serde(default)]
    pub scen_type: Option<ScenarioType>,
    /// The scenario's number.
    #[serde(default)]
    pub type_id: Option<u32>,
    /// The number of units: the first rows of the scenario.
    pub agents: usize,
    /// A proven lower bound of the sum of costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower_cost: Option<f64>,
    /// The claimed sum of costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solution_cost: Option<f64>,
    /// Whether `u` goes to the row below.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flip_up_down: bool,
    /// One string of moves per unit.
    #[serde(deserialize_with = "paths_as_list_or_text")]
    pub solution_plan: Vec<String>,
}

/// Reads all submissions of a JSON object or list, a YAML list or series of documents, or a
/// CSV table with header.
///
/// # Errors
/// When the file is none of these, or fields are missing.
pub fn read(bytes: &[u8]) -> Result<Vec<Submission>, FormatError> {
    let text = text::decode(bytes, EXPECTED)?;
    let mut submissions: Vec<Submission> = match first_character(text) {
        Some('{') => vec![from_json(text, EXPECTED)?],
        Some('[') => from_json(text, EXPECTED)?,
        Some('-') if !text.trim_start().starts_with("---") => {
            from_yaml_documents::<Vec<_>>(text, EXPECTED)?.into_iter().flatten().collect()
        }
        _ if is_table(text) => read_table(text)?,
        _ => from_yaml_documents(text, EXPECTED)?,
    };
    submissions.iter_mut().for_each(Submission::drop_last_line_break);
    check_all(&submissions)?;
    Ok(submissions)
}

fn first_character(text: &str) -> Option<char> {
    let is_content = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    text.lines().find(is_content)?.trim_start().chars().next()
}

/// Whether the first line is a table's header.
pub(crate) fn is_table(text: &str) -> bool {
    let header = text.trim_start().lines().next().unwrap_or_default();
    let has = |name: &str| header.split(',').any(|field| field.trim().trim_matches('"') == name);
    has("agents") && (has("solution_plan") || has("path"))
}

fn check_all(submissions: &[Submission]) -> Result<(), FormatError> {
    submissions.iter().enumerate().try_for_each(|(index, submission)| check(index, submission))
}

fn check(index: usize, submission: &Submission) -> Result<(), FormatError> {
    if submission.agents > UNITS_MAX {
        let agents = submission.agents;
        let problem = format!("plan {index}: {agents} agents: the limit is {UNITS_MAX}");
        return Err(FormatError::new(problem, "give a plan of fewer units"));
    }
    let costs = [submission.lower_cost, submission.solution_cost];
    let is_cost = |cost: f64| cost.is_finite() && cost >= 0.0;
    match costs.into_iter().flatten().find(|&cost| !is_cost(cost)) {
        None => Ok(()),
        Some(cost) => {
            let problem = format!("plan {index}: {cost} is no cost");
            Err(FormatError::new(problem, "give finite costs of at least 0"))
        }
    }
}

fn paths_as_list_or_text<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<String>, D::Error> {
    struct ListOrText;
    impl<'de> Visitor<'de> for ListOrText {
        type Value = Vec<String>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of move strings, or one text with a line for each unit")
        }
        fn visit_str<E>(self, text: &str) -> Result<Vec<String>, E> {
            Ok(split_paths(text))
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<String>, A::Error> {
            let mut paths = Vec::new();
            while let Some(path) = list.next_element()? {
                paths.push(path);
            }
            Ok(paths)
        }
    }
    deserializer.deserialize_any(ListOrText)
}

/// One path per line; line breaks may be written as `\n`.
fn split_paths(text: &str) -> Vec<String> {
    text.replace("\\n", "\n").split('\n').map(|path| path.trim().to_owned()).collect()
}

fn read_table(text: &str) -> Result<Vec<Submission>, FormatError> {
    let mut records = csv::read(text.trim_start())?.into_iter();
    let header = records.next().unwrap_or_default();
    let names: Vec<&str> = header.iter().map(|field| field.text.trim()).collect();
    records.map(|record| read_record(&names, &record)).collect()
}

fn read_record(names: &[&str], record: &[CsvField]) -> Result<Submission, FormatError> {
    let line = record.first().map_or(0, |field| field.line);
    if record.len() != names.len() {
        let problem = format!("{} fields where the header has {}", record.len(), names.len());
        return Err(FormatError::new(problem, "quote fields that hold commas").at_line(line));
    }
    let by_name: BTreeMap<&str, &CsvField> = names.iter().copied().zip(record).collect();
    let text = |name: &str| {
        by_name.get(name).map(|field| field.text.trim()).filter(|text| !text.is_empty())
    };
    let missing =
        |name: &str| FormatError::new(format!("{name} is missing"), "fill the field").at_line(line);
    // Not trimmed: the first unit may have no moves, and so an empty line.
    let plan = by_name.get("solution_plan").or(by_name.get("path"));
    let plan = plan.ok_or_else(|| missing("solution_plan"))?;
    Ok(Submission {
        map_name: text("map_name").map(str::to_owned),
        scen_type: text("scen_type").map(|v| parsed(v, "scen_type", line)).transpose()?,
        type_id: text("type_id").map(|v| parsed(v, "type_id", line)).transpose()?,
        agents: parsed(text("agents").ok_or_else(|| missing("agents"))?, "agents", line)?,
        lower_cost: text("lower_cost").map(|v| parsed(v, "lower_cost", line)).transpose()?,
        solution_cost: text("solution_cost")
            .map(|v| parsed(v, "solution_cost", line))
            .transpose()?,
        flip_up_down: text("flip_up_down").map_or(Ok(false), |v| truth(v, line))?,
        solution_plan: split_paths(&plan.text),
    })
}

fn parsed<T: FromStr>(text: &str, name: &str, line: usize) -> Result<T, FormatError> {
    text.parse().map_err(|_| {
        let problem = format!("{name} {} does not fit", quote(text));
        FormatError::new(problem, "correct the field").at_line(line)
    })
}

fn truth(text: &str, line: usize) -> Result<bool, FormatError> {
    let problem = || format!("flip_up_down {}", quote(text));
    let lower = text.to_ascii_lowercase();
    lower.parse().map_err(|_| FormatError::new(problem(), "use TRUE or FALSE").at_line(line))
}

impl Submission {
    /// Drops the empty path that a line break after the last path would begin.
    fn drop_last_line_break(&mut self) {
        let is_surplus = self.solution_plan.len() == self.agents.saturating_add(1);
        if is_surplus && self.solution_plan.last().is_some_and(String::is_empty) {
            self.solution_plan.pop();
        }
    }

    /// The plan, walked from the scenario's starts.
    ///
    /// # Errors
    /// When the scenario is missing or too short, or a path has unknown moves.
    pub fn document(&self, context: &Context<'_>) -> Result<PlanDocument, FormatError> {
        let Some(scenario) = context.scenario else {
            let problem = "move strings do not contain the starts";
            return Err(FormatError::new(problem, "give the scenario (-i SCEN)"));
        };
        if self.solution_plan.len() != self.agents {
            let problem = format!("{} paths for {} agents", self.solution_plan.len(), self.agents);
            return Err(FormatError::new(problem, "give one path for each agent"));
        }
        let rows = scenario.first(Some(self.agents))?;
        let starts: Vec<Cell> = rows.iter().map(|row| row.start).collect();
        let goals: Vec<Cell> = rows.iter().map(|row| row.goal).collect();
        let steps = self.steps()?;
        let (map, goals_known) = (context.map, Some(&goals[..]));
        let moves = Moves { starts: &starts, steps: &steps, goals: goals_known, map };
        let paths = moves.paths(up_down(self.flip_up_down))?;
        let map_file = self.map_name.as_ref().map(|name| format!("{name}.map"));
        let goals = Some(goals);
        Ok(PlanDocument {
            plan: Plan { paths },
            starts,
            goals,
            map_file,
            solver: None,
            metadata: self.metadata(),
        })
    }

    fn metadata(&self) -> BTreeMap<String, String> {
        let values = [
            ("scen_type", self.scen_type.map(|kind| kind.name().to_owned())),
            ("type_id", self.type_id.map(|id| id.to_string())),
            ("lower_cost", self.lower_cost.map(|cost| cost.to_string())),
            ("solution_cost", self.solution_cost.map(|cost| cost.to_string())),
        ];
        values.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    }

    fn steps(&self) -> Result<Vec<Vec<Step>>, FormatError> {
        let mut size = PlanSize::default();
        let decoded = self.solution_plan.iter().enumerate().map(|(unit, path)| {
            let steps = decode(unit, path)?;
            size.add(steps.len() + 1)?;
            Ok(steps)
        });
        decoded.collect()
    }

    /// The submission of a plan. Kind and number of the scenario come from the metadata
    /// (`scen_type`, `type_id`) or from the scenario's file name.
    ///
    /// # Errors
    /// When they or the map's name are unknown, or a unit makes other than four-connected
    /// steps.
    pub fn new(document: &PlanDocument, context: &Context<'_>) -> Result<Self, FormatError> {
        let metadata = |key: &str| document.metadata.get(key).cloned();
        let cost = |key: &str| metadata(key).and_then(|cost| cost.parse().ok());
        let name = context.scenario_name.and_then(parse_scenario_name);
        let named = |part: usize| name.map(|parts| parts[part].to_owned());
        let map_name = document.map_file.as_deref().map(map_name).or(named(0));
        let scen_type = metadata("scen_type").or(named(1)).and_then(|kind| kind.parse().ok());
        let type_id = metadata("type_id").or(named(2));
        let paths = document.full_paths()?.iter().enumerate();
        let encoded = paths.map(|(unit, path)| encode(unit, path)).collect::<Result<_, _>>()?;
        Ok(Self {
            map_name: Some(map_name.ok_or_else(|| unknown("map_name"))?),
            scen_type: Some(scen_type.ok_or_else(|| unknown("scen_type"))?),
            type_id: Some(
                type_id.and_then(|id| id.parse().ok()).ok_or_else(|| unknown("type_id"))?,
            ),
            agents: document.plan.paths.len(),
            lower_cost: cost("lower_cost"),
            solution_cost: cost("solution_cost").or(document.sum_of_costs().map(|c| c as f64)),
            flip_up_down: false,
            solution_plan: encoded,
        })
    }
}

fn unknown(field: &str) -> FormatError {
    let remedy = "give the scenario by its benchmark name (-i MAP-random-1.scen)";
    FormatError::new(format!("{field} is unknown"), remedy)
}

fn up_down(is_flipped: bool) -> UpDown {
    if is_flipped { UpDown::UpAddsRow } else { UpDown::UpSubtractsRow }
}

fn map_name(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.strip_suffix(".map").unwrap_or(name).to_owned()
}

/// The parts of `town-random-3.scen`: `town`, `random`, `3`.
fn parse_scenario_name(file: &str) -> Option<[&str; 3]> {
    let name = file.rsplit(['/', '\\']).next()?.strip_suffix(".scen")?;
    let (name, number) = name.rsplit_once('-')?;
    let (map, kind) = name.rsplit_once('-')?;
    let is_known = matches!(kind, "even" | "random") && number.parse::<u32>().is_ok();
    is_known.then_some([map, kind, number])
}

fn decode(unit: usize, path: &str) -> Result<Vec<Step>, FormatError> {
    let mut steps = Vec::new();
    let mut count = None;
    for letter in path.trim().chars() {
        if let Some(digit) = letter.to_digit(10) {
            let value = count.unwrap_or(0_u32).saturating_mul(10).saturating_add(digit);
            count = Some(value);
            continue;
        }
        let step = step(letter).ok_or_else(|| {
            let problem = format!("unit {unit}: {} is no move", quote(&letter.to_string()));
            FormatError::new(problem, "use u, d, l, r and w, with counts before them")
        })?;
        let times = count.take().unwrap_or(1) as usize;
        if steps.len() + times > HORIZON_MAX as usize {
            let problem = format!("unit {unit}: a path past tick {HORIZON_MAX}");
            return Err(FormatError::new(problem, "give a shorter plan"));
        }
        steps.resize(steps.len() + times, step);
    }
    match count {
        None => Ok(steps),
        Some(count) => {
            let problem = format!("unit {unit}: the count {count} has no move after it");
            Err(FormatError::new(problem, "the path is cut off; complete it"))
        }
    }
}

fn step(letter: char) -> Option<Step> {
    match letter {
        'u' => Some(Step::Up),
        'd' => Some(Step::Down),
        'l' => Some(Step::Left),
        'r' => Some(Step::Right),
        'w' => Some(Step::Wait),
        _ => None,
    }
}

fn letter(step: Step) -> char {
    match step {
        Step::Up => 'u',
        Step::Down => 'd',
        Step::Left => 'l',
        Step::Right => 'r',
        Step::Wait => 'w',
    }
}

fn encode(unit: usize, path: &[Cell]) -> Result<String, FormatError> {
    let steps = moves(unit, path, up_down(false))?;
    let mut out = String::new();
    for run in steps.chunk_by(|a, b| a == b) {
        if run.len() > 1 {
            let _ = write!(out, "{}", run.len());
        }
        out.push(letter(run[0]));
    }
    Ok(out)
}

/// Writes a JSON list.
///
/// # Errors
/// When a cost is not finite.
pub fn write_json(submissions: &[Submission]) -> Result<String, FormatError> {
    check_all(submissions)?;
    let json = serde_json::to_string_pretty(submissions);
    json.map(|text| text + "\n").map_err(|error| FormatError::new(error.to_string(), "correct it"))
}

/// Writes a YAML list.
///
/// # Errors
/// When a cost is not finite.
pub fn write_yaml(submissions: &[Submission]) -> Result<String, FormatError> {
    check_all(submissions)?;
    let mut out = if submissions.is_empty() { "[]\n".to_owned() } else { String::new() };
    for submission in submissions {
        let _ = writeln!(out, "- agents: {}", submission.agents);
        for (key, value) in fields(submission) {
            let _ = writeln!(out, "  {key}: {value}");
        }
        let is_empty = submission.solution_plan.is_empty();
        out.push_str(if is_empty { "  solution_plan: []\n" } else { "  solution_plan:\n" });
        for path in &submission.solution_plan {
            let _ = writeln!(out, "    - {}", quoted(path));
        }
    }
    Ok(out)
}

/// The optional fields of a submission as YAML.
fn fields(submission: &Submission) -> impl Iterator<Item = (&'static str, String)> {
    let fields = [
        ("map_name", submission.map_name.as_deref().map(quoted)),
        ("scen_type", submission.scen_type.map(|kind| kind.name().to_owned())),
        ("type_id", submission.type_id.map(|id| id.to_string())),
        ("lower_cost", submission.lower_cost.map(|cost| cost.to_string())),
        ("solution_cost", submission.solution_cost.map(|cost| cost.to_string())),
        ("flip_up_down", submission.flip_up_down.then(|| "true".to_owned())),
    ];
    fields.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

/// Writes a CSV table; paths are separated by line breaks within their field.
///
/// # Errors
/// When a cost is not finite.
pub fn write_csv(submissions: &[Submission]) -> Result<String, FormatError> {
    check_all(submissions)?;
    let mut out = "map_name,scen_type,type_id,agents,lower_cost,solution_cost,flip_up_down,\
                   solution_plan\n"
        .to_owned();
    for s in submissions {
        let number = |cost: Option<f64>| cost.map(|cost| cost.to_string()).unwrap_or_default();
        let record = [
            s.map_name.clone().unwrap_or_default(),
            s.scen_type.map_or("", ScenarioType::name).to_owned(),
            s.type_id.map(|id| id.to_string()).unwrap_or_default(),
            s.agents.to_string(),
            number(s.lower_cost),
            number(s.solution_cost),
            s.flip_up_down.to_string().to_uppercase(),
            s.solution_plan.join("\n"),
        ];
        let record: Vec<_> = record.iter().map(|field| csv::quoted(field)).collect();
        let _ = writeln!(out, "{}", record.join(","));
    }
    Ok(out)
}
