-- gesummv: threads of the fastest 5 % of the blocks.
WITH ranked AS (
    SELECT block_x, block_y, row_number() OVER (ORDER BY time_s, block_x, block_y) AS nth, count(*) OVER () AS blocks
    FROM tuner_sweep_median WHERE variant = 'gesummv' AND time_s > 0),
top AS (SELECT median(block_x * block_y) AS threads, count(*) AS n FROM ranked WHERE nth <= max(1, 0.05 * blocks))
SELECT 'cui-c-228' AS id, printf('median of %g threads; best %d x %d', threads, block_x, block_y) AS measured, '<= 64 threads' AS bound, threads <= 64 AS ok, '' AS reason
FROM top, ranked WHERE nth = 1;
