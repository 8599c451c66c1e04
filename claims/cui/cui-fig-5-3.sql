-- One search of IterML per model, iteration by iteration, until nothing remains. Samples use up the space too, so the number of iterations
-- is that of halving alone only where an iteration takes one or two.
WITH search AS (
    SELECT variant, points, pick_ratio, cut_ratio, max(iteration) AS iterations, max(1, round(pick_ratio * points)) AS samples,
           CAST(ceil(log2(points)) AS INTEGER) AS halvings
    FROM tuner_trace WHERE status = 'pass' GROUP BY variant, benchmark, points, pick_ratio, cut_ratio),
halved AS (SELECT * FROM search WHERE cut_ratio = 0.5 AND samples <= 2)
SELECT 'cui-c-266' AS id, iif(count(*), printf('%d to %d iterations for %d configurations', min(iterations), max(iterations), max(points)), 'not measured') AS measured,
       coalesce(max(halvings), 'log2 of the configurations') || ' +- 1' AS bound, iif(count(*), min(abs(iterations - halvings) <= 1), 'waived') AS ok,
       iif(count(*), '', 'no search took only one or two samples per iteration') AS reason
FROM halved WHERE EXISTS (SELECT 1 FROM search)
UNION ALL
SELECT 'cui-c-267', printf('%d of %d iterations with other numbers, in %d searches', sum(sampled <> samples AND (iteration < iterations OR sampled > samples)), count(*),
                           count(DISTINCT variant || ' ' || pick_ratio || ' ' || cut_ratio)),
       'none but smaller last ones', max(sampled <> samples AND (iteration < iterations OR sampled > samples)) = 0, ''
FROM tuner_trace JOIN search USING (variant, points, pick_ratio, cut_ratio) HAVING count(*) > 0;
