//! The report of several papers as one HTML file, and its summary as Markdown.
//!
//! The file needs no network. It is light or dark as the reader's system is. Plots keep the colours
//! of Okabe and Ito, inverted in lightness where it is dark.

use std::fmt::Write as _;

use super::{Block, Claim, Experiment, Options, Paper, Section, Stage, Table, Verdict, comparison};

/// The results of one paper.
pub type PaperResult<'a> = (Paper, &'a Experiment);

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1d2126; --paper: #fff; --line: #d4d8de; --soft: #f4f6f8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e7eb; --paper: #15181c; --line: #3a4048; --soft: #1f242a; }
  figure > svg { filter: invert(0.92) hue-rotate(180deg); }
}
body { margin: 0 auto; max-width: 75rem; padding: 1rem 1.5rem 4rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
h2 { margin-top: 3rem; border-top: 2px solid var(--line); padding-top: 1rem; }
figure { display: inline-block; vertical-align: top; margin: 0.5rem 1rem 1rem 0; max-width: 100%; }
figure svg { max-width: 100%; height: auto; }
figcaption { max-width: 40rem; font-size: 0.9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; margin: 0.5rem 0 1.5rem; }
caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
th, td { border: 1px solid var(--line); padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; }
th { background: var(--soft); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.verdict { white-space: nowrap; font-weight: 600; }
";

/// The report as one HTML file.
#[must_use]
pub fn html(results: &[PaperResult<'_>], options: &Options) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Five papers, repeated</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>Five papers, repeated</h1>\n<p>{}</p>\n",
        escaped(&run_text(results, options))
    );
    page += &counts_html(results);
    page += &table_html(&comparison::table(results.iter().map(|(_, experiment)| *experiment)));
    for (paper, experiment) in results {
        let _ = writeln!(page, "<h2 id=\"{0}\">{1}</h2>", paper.name, escaped(paper.citation));
        let _ = writeln!(page, "<p>{}</p>", escaped(&cases_text(experiment)));
        experiment.sections.iter().for_each(|section| page += &section_html(section));
        page += &claims_html(&experiment.claims);
    }
    page + "</body>\n</html>\n"
}

/// What was run.
fn run_text(results: &[PaperResult<'_>], options: &Options) -> String {
    let is_whole = |(_, experiment): &PaperResult<'_>| {
        experiment.stages.iter().all(|stage| stage.run == stage.of)
    };
    let kind = match (options.quick, results.iter().all(is_whole)) {
        (true, true) => "A quick run",
        (true, false) => "A part of a quick run",
        (false, true) => "A full run",
        (false, false) => "A part of a full run",
    };
    let mut builds: Vec<&str> =
        results.iter().flat_map(|(_, e)| &e.rows).map(|row| row.build.as_str()).collect();
    builds.sort_unstable();
    builds.dedup();
    builds.retain(|build| !build.is_empty());
    let builds = match builds.as_slice() {
        [] => String::new(),
        [build] => format!(" All rows come from one build, {build}."),
        builds => format!(" Rows come from {} builds: {}.", builds.len(), builds.join(", ")),
    };
    let last = options.seed.saturating_add(options.seeds.max(1) - 1);
    format!(
        "{kind} with seeds {} to {last}. Each claim is judged by the median over seeds; the least and \
         the largest value stand in brackets. Times are processor times.{builds}",
        options.seed
    )
}

/// How many cases of each stage were run.
fn cases_text(experiment: &Experiment) -> String {
    let stage = |stage: &Stage| format!("{} {} of {}", stage.name, stage.run, stage.of);
    let stages: Vec<String> = experiment.stages.iter().map(stage).collect();
    format!("Cases that were run, over all seeds: {}.", stages.join(", "))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn counts_html(results: &[PaperResult<'_>]) -> String {
    let mut html =
        "<div class=\"wide\"><table>\n<caption>Claims by verdict</caption>\n<tr><th>paper</th>"
            .to_owned();
    Verdict::ALL.iter().for_each(|verdict| {
        let _ = write!(html, "<th>{verdict}</th>");
    });
    html += "</tr>\n";
    for (paper, experiment) in results {
        let _ = write!(html, "<tr><td><a href=\"#{0}\">{0}</a></td>", paper.name);
        for count in experiment.verdicts() {
            let _ = write!(html, "<td class=\"number\">{count}</td>");
        }
        html += "</tr>\n";
    }
    html + "</table></div>\n"
}

fn section_html(section: &Section) -> String {
    let mut html = format!("<h3>{}</h3>\n", escaped(&section.title));
    for paragraph in section.text.split("\n\n").filter(|text| !text.is_empty()) {
        let _ = writeln!(html, "<p>{}</p>", escaped(paragraph));
    }
    for block in &section.blocks {
        match block {
            Block::Table(table) => html += &table_html(table),
            Block::Picture { caption, svg } => {
                let caption = escaped(caption);
                let _ =
                    writeln!(html, "<figure>\n{svg}<figcaption>{caption}</figcaption></figure>");
            }
        }
    }
    html
}

fn table_html(table: &Table) -> String {
    let mut html =
        format!("<div class=\"wide\"><table>\n<caption>{}</caption>\n<tr>", escaped(&table.title));
    for column in &table.columns {
        let _ = write!(html, "<th>{}</th>", escaped(column));
    }
    html += "</tr>\n";
    for row in &table.rows {
        html += "<tr>";
        for value in row {
            let class =
                if matches!(value, super::Value::Text(_)) { "" } else { " class=\"number\"" };
            let _ = write!(html, "<td{class}>{}</td>", escaped(&value.to_string()));
        }
        html += "</tr>\n";
    }
    html + "</table></div>\n"
}

fn claims_html(claims: &[Claim]) -> String {
    let mut html = "<h3>What the paper says, and ours</h3>\n<div class=\"wide\"><table>\n<tr><th>where</th>\
                    <th>the paper says</th><th>paper</th><th>ours</th><th>sample</th><th>verdict</th>\
                    <th>reason</th></tr>\n"
        .to_owned();
    for claim in claims {
        let cell = |text: &str| format!("<td>{}</td>", escaped(text));
        let _ = writeln!(
            html,
            "<tr>{}{}{}{}{}<td class=\"verdict\">{}</td>{}</tr>",
            cell(&claim.place),
            cell(&claim.statement),
            cell(&claim.paper),
            cell(&claim.ours),
            cell(&claim.sample),
            claim.verdict,
            cell(&claim.reason)
        );
    }
    html + "</table></div>\n"
}

/// The summary as Markdown: what was run, the counts, and every claim with its verdict.
#[must_use]
pub fn markdown(results: &[PaperResult<'_>], options: &Options) -> String {
    let quick = if options.quick { " --quick" } else { "" };
    let mut text = format!(
        "# The five papers, repeated\n\n\
         Made by `throng lab all{quick} --out DIR --summary FILE`; do not edit it by hand.\n\n{}\n\n\
         | paper | holds | holds with another factor | differs | not tried |\n|---|---|---|---|---|\n",
        run_text(results, options)
    );
    let mut all = [0; 4];
    for (paper, experiment) in results {
        let verdicts = experiment.verdicts();
        all.iter_mut().zip(verdicts).for_each(|(sum, count)| *sum += count);
        let [holds, factor, differs, not_tried] = verdicts;
        let _ = writeln!(text, "| {} | {holds} | {factor} | {differs} | {not_tried} |", paper.name);
    }
    let [holds, factor, differs, not_tried] = all;
    let _ = writeln!(text, "| all | {holds} | {factor} | {differs} | {not_tried} |");
    text += &table_markdown(&comparison::table(results.iter().map(|(_, e)| *e)));
    results.iter().for_each(|(paper, experiment)| text += &paper_markdown(*paper, experiment));
    text
}

fn table_markdown(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let cell = |text: &str| text.replace('|', "\\|");
    let mut text = format!("\n## {}\n\n", table.title);
    text += &line(table.columns.iter().map(|column| cell(column)).collect());
    text += &line(vec!["---".to_owned(); table.columns.len()]);
    for row in &table.rows {
        text += &line(row.iter().map(|value| cell(&value.to_string())).collect());
    }
    text
}

fn paper_markdown(paper: Paper, experiment: &Experiment) -> String {
    let mut text =
        format!("\n## {}\n\n{}.\n\n{}\n", paper.name, paper.citation, cases_text(experiment));
    for section in experiment.sections.iter().filter(|section| !section.text.is_empty()) {
        let _ = writeln!(text, "\n**{}.** {}", section.title, section.text);
    }
    text += "\n| where | the paper says | paper | ours | sample | verdict | reason |\n|---|---|---|---|---|---|---|\n";
    for claim in &experiment.claims {
        let cell = |text: &str| text.replace('|', "\\|");
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            cell(&claim.place),
            cell(&claim.statement),
            cell(&claim.paper),
            cell(&claim.ours),
            cell(&claim.sample),
            claim.verdict,
            cell(&claim.reason)
        );
    }
    text
}
