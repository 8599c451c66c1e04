-- Claims about searches that belong to no figure. First: a search to the end with more pruning, the same samples per iteration.
WITH search AS (
    SELECT variant, pick_ratio, cut_ratio, sum(sampled) AS samples, max(best) AS best FROM tuner_trace WHERE status = 'pass' GROUP BY variant, benchmark, pick_ratio, cut_ratio),
pair AS (
    SELECT a.samples AS half, b.samples AS more, a.best AS half_best, b.best AS more_best
    FROM search AS a JOIN search AS b USING (variant, pick_ratio) WHERE a.cut_ratio = 0.5 AND b.cut_ratio = 0.75)
SELECT 'cui-c-296' AS id,
       iif(count(*), printf('%d against %d samples, median best %.3f against %.3f, %d searches', sum(more), sum(half), median(more_best), median(half_best), count(*)),
           'not measured') AS measured,
       'with cut ratio 0.75 fewer and not better than with 0.5' AS bound,
       iif(count(*), sum(more) < sum(half) AND median(more_best) <= median(half_best), 'waived') AS ok, iif(count(*), '', 'no cut ratio of 0.75 was measured') AS reason
FROM pair WHERE EXISTS (SELECT 1 FROM search);

-- Few samples: how well models predict, and what a search finds with the fewest.
WITH error AS (
    SELECT variant, data, max(r2) FILTER (WHERE samples = least) AS few, max(r2) FILTER (WHERE samples = most) AS many
    FROM tuner_models_median, (SELECT min(samples) AS least, max(samples) AS most FROM tuner_models_median) WHERE variant IN ('svm', 'mlp') GROUP BY variant, data),
few AS (SELECT variant, benchmark, best_median, rank() OVER (PARTITION BY benchmark ORDER BY samples) AS nth FROM tuner_search_median),
beside AS (
    SELECT m.variant, median(m.best_median / r.best_median) AS found
    FROM few AS m JOIN few AS r USING (benchmark, nth) WHERE nth = 1 AND r.variant = 'random' AND m.variant IN ('svm', 'mlp') GROUP BY m.variant)
SELECT 'cui-c-306' AS id,
       (SELECT group_concat(printf('%s, %s: R2 %.2f to %.2f', variant, data, few, many), '; ') FROM error)
           || (SELECT group_concat(printf('; %s finds %.3f of random', variant, found), '') FROM beside) AS measured,
       'R2 grows with samples; with the fewest svm or mlp finds no more than random' AS bound,
       (SELECT min(many > few) FROM error) AND (SELECT min(found) FROM beside) <= 1 AS ok, '' AS reason
WHERE EXISTS (SELECT 1 FROM error) AND EXISTS (SELECT 1 FROM beside);
