//! Detects the format of a file by its content; reads and writes plans of any format.

use std::fmt;
use std::str::FromStr;

use crate::planviz::PlanVizOptions;
use crate::tracker::Submission;
use crate::{Context, FormatError, PlanDocument};
use crate::{kei18, li_paths, multi_robot, planviz, text, tracker};

/// A file format that throng reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatKind {
    /// MovingAI map.
    Map,
    /// MovingAI scenario.
    Scenario,
    /// kei18 result text.
    Kei18,
    /// Jiaoyang Li's paths.
    LiPaths,
    /// libMultiRobotPlanning problem.
    MultiRobotProblem,
    /// libMultiRobotPlanning schedule.
    MultiRobotSchedule,
    /// MAPF tracker submissions as JSON.
    TrackerJson,
    /// MAPF tracker submissions as YAML.
    TrackerYaml,
    /// MAPF tracker submissions as CSV.
    TrackerCsv,
    /// LoRR problem JSON.
    LorrProblem,
    /// LoRR output JSON, which PlanViz shows.
    PlanViz,
}

impl FormatKind {
    /// Every format.
    pub const ALL: [Self; 11] = [
        Self::Map,
        Self::Scenario,
        Self::Kei18,
        Self::LiPaths,
        Self::MultiRobotProblem,
        Self::MultiRobotSchedule,
        Self::TrackerJson,
        Self::TrackerYaml,
        Self::TrackerCsv,
        Self::LorrProblem,
        Self::PlanViz,
    ];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Scenario => "scen",
            Self::Kei18 => "kei18",
            Self::LiPaths => "li-paths",
            Self::MultiRobotProblem => "multi-robot-problem",
            Self::MultiRobotSchedule => "multi-robot-schedule",
            Self::TrackerJson => "tracker-json",
            Self::TrackerYaml => "tracker-yaml",
            Self::TrackerCsv => "tracker-csv",
            Self::LorrProblem => "lorr-problem",
            Self::PlanViz => "planviz",
        }
    }

    /// Whether files of this format hold plans, which [`read_plan`] and [`write_plan`] accept.
    #[must_use]
    pub const fn is_plan(self) -> bool {
        !matches!(self, Self::Map | Self::Scenario | Self::MultiRobotProblem | Self::LorrProblem)
    }
}

impl fmt::Display for FormatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for FormatKind {
    type Err = FormatError;
    fn from_str(name: &str) -> Result<Self, FormatError> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            FormatError::new(
                format!("no format {}", text::quote(name)),
                format!("use one of {names}"),
            )
        })
    }
}

/// Detects the format of a file by its content. The agent and task files of LoRR contain only
/// numbers and are not detected.
///
/// ```
/// use throng_formats::{FormatKind, detect};
/// assert_eq!(detect(b"type octile\nheight 1\nwidth 1\nmap\n.\n"), Some(FormatKind::Map));
/// assert_eq!(detect(b"agents=1\nsolution=\n0:(0,0),\n"), Some(FormatKind::Kei18));
/// assert_eq!(detect(b"\x89PNG"), None);
/// ```
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<FormatKind> {
    let text = text::decode(bytes, "a text").ok()?;
    let first = text.lines().map(str::trim_end).find(|line| !line.trim().is_empty())?;
    if first.trim_start().starts_with(['{', '[']) {
        detect_json(text)
    } else if is_map(first) {
        Some(FormatKind::Map)
    } else if is_scenario(first) {
        Some(FormatKind::Scenario)
    } else if first.trim_start().starts_with("Agent ") {
        Some(FormatKind::LiPaths)
    } else if tracker::is_table(text) {
        Some(FormatKind::TrackerCsv)
    } else {
        text.lines().find_map(detect_line)
    }
}

fn detect_json(text: &str) -> Option<FormatKind> {
    let keys = [
        ("\"actionModel\"", FormatKind::PlanViz),
        ("\"solution_plan\"", FormatKind::TrackerJson),
        ("\"agentFile\"", FormatKind::LorrProblem),
    ];
    keys.into_iter().find(|(key, _)| text.contains(key)).map(|(_, kind)| kind)
}

fn is_map(first: &str) -> bool {
    let word = first.split_whitespace().next().unwrap_or_default();
    let is_number = |side: &str| side.trim().parse::<u32>().is_ok();
    let is_size = first.split_once(',').is_some_and(|(h, w)| is_number(h) && is_number(w));
    matches!(word, "type" | "height" | "width") || is_size
}

fn is_scenario(first: &str) -> bool {
    let mut fields = first.split_whitespace();
    let is_length = |field: &str| field.parse::<f64>().is_ok();
    first.starts_with("version")
        || (fields.clone().count() >= 9 && fields.next_back().is_some_and(is_length))
}

/// The format that one line shows, for kei18 and YAML files; most lines show none.
fn detect_line(line: &str) -> Option<FormatKind> {
    let key = line.split([':', '=']).next().unwrap_or_default();
    let is_pair = line[key.len()..].starts_with('=');
    match key.trim_start_matches("- ").trim() {
        "agents" | "solution" | "starts" | "goals" if is_pair => Some(FormatKind::Kei18),
        "0" if line.contains(":(") => Some(FormatKind::Kei18),
        "solution_plan" => Some(FormatKind::TrackerYaml),
        "schedule" => Some(FormatKind::MultiRobotSchedule),
        "map" | "roadmap" if !is_pair => Some(FormatKind::MultiRobotProblem),
        _ => None,
    }
}

/// Reads a plan of any format. Goals that the file does not give come from the scenario.
///
/// # Errors
/// When the file is of no known plan format or has a mistake, or when the context lacks what
/// the format leaves out.
pub fn read_plan(bytes: &[u8], context: &Context<'_>) -> Result<PlanDocument, FormatError> {
    let document = match detect(bytes) {
        Some(FormatKind::Kei18) => kei18::read(bytes),
        Some(FormatKind::LiPaths) => li_paths::read(bytes),
        Some(FormatKind::MultiRobotSchedule) => multi_robot::read_schedule(bytes),
        Some(FormatKind::TrackerJson | FormatKind::TrackerYaml | FormatKind::TrackerCsv) => {
            choose(&tracker::read(bytes)?, context)?.document(context)
        }
        Some(FormatKind::PlanViz) => planviz::read(bytes, context),
        other => Err(no_plan(bytes, other)),
    };
    Ok(document?.complete(context))
}

fn no_plan(bytes: &[u8], kind: Option<FormatKind>) -> FormatError {
    let plans = FormatKind::ALL.into_iter().filter(|kind| kind.is_plan());
    let names: Vec<_> = plans.map(FormatKind::name).collect();
    let remedy = format!("give a plan as {}", names.join(", "));
    match (kind, text::decode(bytes, "a plan")) {
        (None, Err(error)) => error,
        (None, Ok(_)) => FormatError::new("no known plan format", remedy),
        (Some(kind), _) => {
            FormatError::new(format!("a file of format {kind} holds no plan"), remedy)
        }
    }
}

/// The submission to use: the only one, or the only one with the number of units asked for.
fn choose<'a>(
    submissions: &'a [Submission],
    context: &Context<'_>,
) -> Result<&'a Submission, FormatError> {
    let fits = |s: &&Submission| context.units.is_none_or(|units| s.agents == units);
    let mut fitting = submissions.iter().filter(fits);
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(FormatError::new(
            format!("none of the {} plans has this number of units", submissions.len()),
            "give the number of units of one of the plans (-N)",
        )),
        (Some(_), Some(_)) => Err(FormatError::new(
            format!("the file holds {} plans", submissions.len()),
            "choose one by its number of units (-N), or split the file",
        )),
    }
}

/// Writes a plan in any plan format.
///
/// # Errors
/// When the format cannot express the plan, or needs what document and context lack.
pub fn write_plan(
    kind: FormatKind,
    document: &PlanDocument,
    context: &Context<'_>,
    options: PlanVizOptions,
) -> Result<String, FormatError> {
    let submission = || Submission::new(document, context).map(|submission| [submission]);
    match kind {
        FormatKind::Kei18 => kei18::write(document),
        FormatKind::LiPaths => li_paths::write(document),
        FormatKind::MultiRobotSchedule => Ok(multi_robot::write_schedule(document)),
        FormatKind::TrackerJson => tracker::write_json(&submission()?),
        FormatKind::TrackerYaml => tracker::write_yaml(&submission()?),
        FormatKind::TrackerCsv => tracker::write_csv(&submission()?),
        FormatKind::PlanViz => planviz::write(document, options),
        other => Err(no_plan(&[], Some(other))),
    }
}
