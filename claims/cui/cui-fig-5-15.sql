-- SYR2K with a random forest, by the number of iterations, beside random samples. Where random does not meet Standard 1, the ratio to its
-- largest number of samples is a lower bound. Intervals: of the medians of the searches, from their quartiles.
WITH run AS (
    SELECT variant, iterations, samples, total_ratio AS ratio, best_median, 1.57 * (best_p75 - best_p25) / sqrt(searches) AS error FROM tuner_iterations_median),
standard AS (
    SELECT variant, iterations, min(iif(best_median > 0.95, ratio, 9e999)) AS mid, min(iif(best_median + error > 0.95, ratio, 9e999)) AS low,
           min(iif(best_median - error > 0.95, ratio, 9e999)) AS high, max(ratio) AS most
    FROM run GROUP BY variant, iterations),
pair AS (
    SELECT n.mid AS non, n.low AS non_low, n.high AS non_high, f.mid AS forest, f.low AS forest_low, f.high AS forest_high,
           min(n.mid, n.most) / f.mid AS ratio, min(n.low, n.most) / f.high AS low, n.high / f.low AS high
    FROM standard AS n, standard AS f WHERE n.variant = 'random' AND f.variant = 'forest' AND f.iterations = 3),
best AS (
    SELECT samples, max(best_median) FILTER (WHERE variant = 'random') AS non, max(best_median) FILTER (WHERE variant = 'forest' AND iterations = 1) AS one,
           max(best_median) FILTER (WHERE variant = 'forest' AND iterations = 2) AS two, max(best_median) FILTER (WHERE variant = 'forest' AND iterations = 3) AS three
    FROM run GROUP BY samples)
SELECT 'cui-c-268' AS id, printf('%d of %d numbers of samples', sum(three >= two AND two >= one), count(*)) AS measured,
       '3 iterations >= 2 >= 1 for 0.8 of them' AS bound, avg(three >= two AND two >= one) >= 0.8 AS ok, '' AS reason
FROM best WHERE three + two + one > 0 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-269', replace(printf('forest %.4f (%.4f..%.4f), random %.4f (%.4f..%.4f)', forest, forest_low, forest_high, non, non_low, non_high), 'Inf', 'not met'),
       'less than random (thesis: 0.004)', CASE WHEN forest_high < non_low THEN 1 WHEN forest_low >= non_high THEN 0 END, ''
FROM pair
UNION ALL
SELECT id, iif(forest < 9e999, iif(non < 9e999, '', 'more than ') || replace(printf('%.2f (%.2f..%.2f)', ratio, low, high), 'Inf', 'unknown'), 'forest: not met'), bound,
       CASE WHEN forest = 9e999 THEN 0 WHEN low >= least THEN 1 WHEN high < least THEN 0 END, ''
FROM pair, (SELECT 'cui-c-270' AS id, 1.5 AS least, 'random / forest >= 1.5 (thesis: 0.01 / 0.004)' AS bound UNION ALL
            SELECT 'cui-c-271', 2, '>= 2 (thesis: 0.01 / 0.004; its text: 10)')
UNION ALL
SELECT 'cui-c-273', printf('%d of %d numbers of samples', sum(non <= three), count(*)), 'random <= 3 iterations for 0.8 of them', avg(non <= three) >= 0.8, ''
FROM best WHERE non + three > 0 HAVING count(*) > 0;

-- Standard 2 of the same, from the sweep that goes far enough: the searches above if the forest meets it there, else those of figures 5.16
-- to 5.20, which end where it is met. Intervals: of the 5th percentile of the searches with the forest's number of samples, from the
-- density between it and the lower quartile.
WITH run AS (
    SELECT 1 AS source, variant, samples, total_ratio AS ratio, searches, best_p05 AS mid, 1.96 * sqrt(0.05 * 0.95 / searches) / 0.2 * (best_p25 - best_p05) AS error
    FROM tuner_iterations_median WHERE benchmark = 'syr2k' AND (variant = 'random' OR (variant = 'forest' AND iterations = 3))
    UNION ALL
    SELECT 2, variant, samples, total_ratio, searches, best_p05, 1.96 * sqrt(0.05 * 0.95 / searches) / 0.2 * (best_p25 - best_p05)
    FROM tuner_search_median WHERE benchmark = 'syr2k' AND (variant = 'random' OR (variant = 'forest' AND iterations = 3))),
need AS (SELECT source, variant, min(iif(mid > 0.95, samples, 9e999)) AS samples, min(iif(mid > 0.95, ratio, 9e999)) AS ratio FROM run GROUP BY source, variant),
told AS (
    SELECT f.source, f.ratio AS forest, n.ratio AS non, min(f.samples, n.samples) AS samples
    FROM need AS f JOIN need AS n USING (source) WHERE f.variant = 'forest' AND n.variant = 'random'
    ORDER BY min(f.samples, n.samples) = 9e999, f.source LIMIT 1)
SELECT 'cui-c-272' AS id,
       replace(printf('forest %.4f, random %.4f', forest, non), 'Inf', 'not met')
           || coalesce(printf('; with %d samples 5th percentiles of %.3f +- %.3f and %.3f +- %.3f', f.samples, f.mid, f.error, n.mid, n.error), '') AS measured,
       'less than random (thesis: 0.012)' AS bound,
       CASE WHEN forest = non AND forest < 9e999 OR forest > non THEN 0 WHEN f.mid - f.error > n.mid + n.error THEN 1 END AS ok,
       iif(forest = 9e999 AND non = 9e999, 'the sweep ends before either meets the standard', printf('%g searches each', f.searches)) AS reason
FROM told LEFT JOIN run AS f ON f.source = told.source AND f.variant = 'forest' AND f.samples = told.samples
LEFT JOIN run AS n ON n.source = told.source AND n.variant = 'random' AND n.samples = told.samples;
