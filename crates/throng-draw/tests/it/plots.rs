//! Plots are well-formed, and refuse what cannot be drawn.

use super::*;
use roxmltree::Document;

fn chart() -> Chart {
    Chart::new("Time & <space>", Axis::linear("units"), Axis::log("time (ms)"))
        .line("CA*", &[(10.0, 1.5), (100.0, 40.0)])
        .line_with_band("WHCA*", &[(10.0, 1.0, 0.5, 2.0), (100.0, 12.0, 8.0, 15.0)])
        .scatter("runs", &[(20.0, 3.0), (30.0, 5.0)])
}

fn bars() -> BarChart {
    BarChart::new("Nodes", "map", "nodes", &["maze", "<rooms>"])
        .series("A*", &[10.0, 40.0])
        .series("JPS", &[-5.0, 20.0])
}

fn count(text: &str, tag: &str) -> usize {
    let document = Document::parse(text).unwrap();
    document.descendants().filter(|node| node.has_tag_name(tag)).count()
}

#[test]
fn charts_are_well_formed_and_complete() {
    let text = chart().svg().unwrap();
    assert_eq!(count(&text, "polyline"), 2);
    assert_eq!(count(&text, "polygon"), 1);
    assert_eq!(count(&text, "circle"), 6);
    for label in ["units", "time (ms)", "CA*", "WHCA*", "runs", "Time &amp; &lt;space&gt;"] {
        assert!(text.contains(label), "{label}");
    }
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

#[test]
fn bars_have_the_height_of_their_values() {
    let text = bars().svg().unwrap();
    let document = Document::parse(&text).unwrap();
    let heights: Vec<f64> = document
        .descendants()
        .filter(|n| {
            n.has_tag_name("rect") && n.attribute("rx").is_none() && n.attribute("x").is_some()
        })
        .map(|n| n.attribute("height").unwrap().parse().unwrap())
        .collect();
    let ratios: Vec<f64> =
        heights.iter().map(|h| (h / heights[0] * 100.0).round() / 100.0).collect();
    assert_eq!(ratios, [1.0, 4.0, 0.5, 2.0]);
}

#[test]
fn a_point_on_a_corner_of_the_axes_is_drawn_there() {
    let chart =
        Chart::new("", Axis::linear(""), Axis::linear("")).line("", &[(0.0, 0.0), (10.0, 5.0)]);
    assert!(chart.svg().unwrap().contains("points=\"76,440 776,48\""));
}

#[test]
fn numbers_without_a_place_are_named() {
    let linear = || Chart::new("T", Axis::linear("x"), Axis::linear("y"));
    let check = |drawn: Result<String, PlotError>, expected: &str| {
        let message = drawn.unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    };
    check(linear().line("a", &[(0.0, 1.0), (f64::NAN, 1.0)]).svg(), "\"a\", value 1: NaN");
    check(linear().scatter("a", &[(0.0, f64::INFINITY)]).svg(), "\"a\", value 0: inf");
    check(linear().line("a", &[(0.0, 1e101)]).svg(), "is not between -1e100 and 1e100");
    check(chart().line("b", &[(0.0, 0.0)]).svg(), "0 cannot be on a logarithmic axis");
    check(linear().line_with_band("a", &[(0.0, 0.0, 1.0, -1.0)]).svg(), "from 1 to -1");
    check(bars().series("c", &[1.0]).svg(), "\"c\" has 1 values for 2 categories");
    check(bars().series("c", &[1.0, f64::NEG_INFINITY]).svg(), "\"c\", value 1");
}

#[test]
fn a_chart_without_values_says_so() {
    let chart = || Chart::new("T", Axis::linear("x"), Axis::log("y"));
    let bars = || BarChart::new("E", "x", "y", &[]);
    let empty = [chart(), chart().line("a", &[]), chart().line("a", &[]).scatter("b", &[])];
    let empty = empty.map(|chart| chart.svg());
    for drawn in empty.into_iter().chain([bars().svg(), bars().series("a", &[]).svg()]) {
        let svg = drawn.unwrap();
        assert!(svg.contains(">no values</text>"), "{svg}");
        Document::parse(&svg).unwrap();
    }
    let drawn = chart().line("a", &[]).line("b", &[(1.0, 1.0)]).svg().unwrap();
    assert!(!drawn.contains("no values"), "{drawn}");
}

/// The legend goes where the points are not: into the upper left corner if it can, else into
/// another, else below the axis.
#[test]
fn the_legend_covers_no_points_or_lines() {
    let chart = || Chart::new("legend", Axis::linear("axis"), Axis::linear("axis"));
    let check_chart = |chart: Chart, expected: (bool, bool)| {
        let svg = chart.svg().unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let is_line = |node: &roxmltree::Node<'_, '_>| node.text() == Some("a name");
        let line = document.descendants().find(|node| node.is_element() && is_line(node)).unwrap();
        let place = |name| line.attribute(name).unwrap().parse::<f64>().unwrap();
        assert_eq!((place("x") < 400.0, place("y") < 250.0), expected, "{chart:?}");
    };
    let check = |points: &[(f64, f64)], expected: (bool, bool)| {
        check_chart(chart().scatter("a name", points), expected);
    };
    let (low, high) = (0.02, 0.98);
    check(&[(0.0, 0.0), (high, high), (1.0, 1.0)], (true, true));
    check(&[(0.0, 0.0), (low, high), (1.0, 1.0)], (false, true));
    check(&[(0.0, 0.0), (low, high), (high, high), (1.0, 1.0)], (true, false));
    check(&[(0.0, 0.0), (low, low), (low, high), (high, high), (1.0, 1.0)], (false, false));
    let everywhere = [(0.0, 0.0), (low, low), (low, high), (high, high), (high, low), (1.0, 1.0)];
    check(&everywhere, (true, false));
    let svg = chart().scatter("a name", &everywhere).svg().unwrap();
    assert!(svg.contains("viewBox=\"0 0 800 530\"") && svg.contains("y=\"518\""), "{svg}");
    // A line that crosses the upper left corner, with its points outside.
    let across = [(0.0, 0.9), (0.2, 1.0), (1.0, 0.0)];
    check(&across, (true, true));
    check_chart(chart().line("a name", &across), (false, true));
}
