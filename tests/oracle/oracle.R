# SPDX-License-Identifier: GPL-3.0-or-later
# What R makes of the cases that build/oracle prints (see oracle.h), and how
# many agree.  usage: Rscript oracle.R FILE
#
# Where R has a function it is R's; else the definition, computed the long way.
# Deterministic answers agree to 1e-8 of their size; iterated fits to 1e-6;
# Monte-Carlo p-values to 5 standard errors of the draws.

options(warn = -1)	# ties and zeros are meant
for (package in c("boot", "coin", "MASS", "lme4"))
	if (!suppressPackageStartupMessages(require(package, quietly = TRUE,
		character.only = TRUE))) {
		cat(sprintf("oracle: skipped, R has no %s (Debian: %s)\n",
			package, paste0("r-cran-", tolower(package))))
		quit(status = 0)
	}

set.seed(1)
fitted_tolerance <- 1e-6
tolerance <- 1e-8
tiny <- 1e-13	# absolute: where the answer is 0 but for rounding

# A p-value that was drawn, not enumerated.
drawn <- function(p, draws)
	structure(p, within = 5 * sqrt(p * (1 - p) / draws) + 2 / draws)
fitted_to <- function(x) structure(x, within = fitted_tolerance * abs(x))

# ---- ranks ----

exactly <- function(i, ...)
	i$exact == 1 && all(c(...) < 50)

mann_whitney <- function(i) {
	a <- i$a[!is.nan(i$a)]
	b <- i$b[!is.nan(i$b)]
	test <- wilcox.test(b, a, exact = exactly(i, length(a), length(b)),
		correct = TRUE)
	above <- outer(b, a, ">")
	below <- outer(b, a, "<")
	list(statistic = test$statistic, p = test$p.value,
		cliff = mean(above) - mean(below))
}

signed_rank <- function(i) {
	d <- i$d[!is.nan(i$d)]
	test <- wilcox.test(d, exact = exactly(i, length(d)), correct = TRUE)
	list(statistic = test$statistic, p = test$p.value)
}

# All pair values sorted, their median, and the k-th from either end.
around <- function(pairs, k, level) {
	pairs <- sort(pairs)
	list(estimate = median(pairs), lo = pairs[k],
		hi = pairs[length(pairs) + 1 - k], level = level)
}

# R refuses ties; its own distribution functions do not.
shift <- function(i) {
	m <- length(i$a)
	n <- length(i$b)
	pairs <- as.vector(outer(i$b, i$a, "-"))
	tail <- (1 - i$wanted) / 2
	if (m < 50 && n < 50) {
		k <- max(qwilcox(tail, m, n), 1)
		level <- 1 - 2 * pwilcox(k - 1, m, n)
	} else {
		sd <- sqrt(m * n * (m + n + 1) / 12)
		k <- floor(m * n / 2 + qnorm(tail) * sd + 0.5)
		level <- 1 - 2 * pnorm((k - 0.5 - m * n / 2) / sd)
	}
	ours <- around(pairs, k, level)
	if (m < 50 && n < 50 && !anyDuplicated(c(i$a, i$b))) {
		test <- wilcox.test(i$b, i$a, exact = TRUE, conf.int = TRUE,
			conf.level = i$wanted)
		ours$estimate <- test$estimate
		ours$lo <- test$conf.int[1]
		ours$hi <- test$conf.int[2]
	}
	ours
}

paired_shift <- function(i) {
	n <- length(i$d)
	means <- outer(i$d, i$d, "+") / 2
	means <- means[!lower.tri(means)]
	tail <- (1 - i$wanted) / 2
	if (n < 50) {
		k <- max(qsignrank(tail, n), 1)
		level <- 1 - 2 * psignrank(k - 1, n)
	} else {
		sd <- sqrt(n * (n + 1) * (2 * n + 1) / 24)
		mean <- n * (n + 1) / 4
		k <- floor(mean + qnorm(tail) * sd + 0.5)
		level <- 1 - 2 * pnorm((k - 0.5 - mean) / sd)
	}
	ours <- around(means, k, level)
	if (n < 50 && !anyDuplicated(abs(i$d)) && all(i$d != 0)) {
		test <- wilcox.test(i$d, exact = TRUE, conf.int = TRUE,
			conf.level = i$wanted)
		ours$estimate <- test$estimate
		ours$lo <- test$conf.int[1]
		ours$hi <- test$conf.int[2]
	}
	ours
}

# ---- quantiles and replicates ----

quantile_of <- function(i)
	list(value = quantile(i$x, i$at, type = 7, names = FALSE))

bca <- function(i) {
	# boot.ci() with our replicates, influence values and statistic.
	fake <- boot(1:5, function(d, k) mean(d[k]),
		R = length(i$replicates))
	fake$t <- matrix(i$replicates)
	fake$t0 <- i$value
	influence <- mean(i$jackknife) - i$jackknife
	ci <- boot.ci(fake, conf = i$level, type = c("perc", "bca"),
		L = influence)
	list(perc_lo = ci$percent[4], perc_hi = ci$percent[5],
		lo = ci$bca[4], hi = ci$bca[5],
		skew = sum(influence^3) / (6 * sum(influence^2)^1.5))
}

# ---- decisions ----

adjust <- function(i) {
	p <- ifelse(is.nan(i$p), NA, i$p)
	n <- seq_along(p)
	c(setNames(as.list(p.adjust(p, "holm")), paste0("holm", n)),
		setNames(as.list(p.adjust(p, "BH")), paste0("bh", n)))
}

tost <- function(i) {
	above <- t.test(i$d, mu = i$low, alternative = "greater")
	below <- t.test(i$d, mu = i$high, alternative = "less")
	list(p = max(above$p.value, below$p.value))
}

fieller <- function(i) {
	# Ends: where (b - r a)^2 is t^2 times its variance.
	roots <- sort(Re(polyroot(c(i$b^2 - i$t^2 * i$var_b,
		-2 * (i$a * i$b - i$t^2 * i$cov),
		i$a^2 - i$t^2 * i$var_a))))
	if (i$a^2 <= i$t^2 * i$var_a)
		roots <- c(NaN, NaN)
	list(lo = roots[1], hi = roots[2])
}

pairs <- function(i) {
	# Not below two pairs, where R has no answer.
	least <- power.t.test(n = 2, delta = i$effect, sd = i$sd,
		sig.level = 1 - i$level, type = "paired")$power
	n <- if (least >= i$power) 2 else
		power.t.test(delta = i$effect, sd = i$sd, power = i$power,
			sig.level = 1 - i$level, type = "paired",
			tol = 1e-10)$n
	list(pairs = ceiling(n))
}

# ---- counts ----

log_normal <- function(fit, quantile, dispersion = NULL) {
	table <- coef(summary(fit, dispersion = dispersion))
	estimate <- table[nrow(table), 1]
	error <- table[nrow(table), 2]
	list(ratio = exp(estimate), lo = exp(estimate - quantile * error),
		hi = exp(estimate + quantile * error))
}

precise <- glm.control(epsilon = 1e-14, maxit = 200)

rates <- function(i) {
	x <- c(i$x2, i$x1)
	t <- c(i$t2, i$t1)
	two <- poisson.test(x, t, conf.level = i$level)
	one <- poisson.test(i$x1, i$t1, conf.level = i$level)
	fit <- glm(x ~ factor(2:1) + offset(log(t)), family = poisson,
		control = precise)
	wald <- log_normal(fit, qnorm(0.5 + i$level / 2))
	# None at all: R has no ratio, and nothing is excluded.
	p <- if (sum(x) == 0) 1 else two$p.value
	list(p = p, exact_lo = two$conf.int[1], exact_hi = two$conf.int[2],
		one_lo = one$conf.int[1], one_hi = one$conf.int[2],
		wald_lo = wald$lo, wald_hi = wald$hi)
}

rates_phi <- function(i) {
	x1 <- i$x1 / i$phi
	x2 <- i$x2 / i$phi
	lo <- if (x2 == 0) 0 else qbeta(0.025, x2, x1 + 1)
	hi <- if (x1 == 0) 1 else qbeta(0.975, x2 + 1, x1)
	# 1 - hi, without losing digits where hi is near 1
	rest <- if (x1 == 0) 0 else qbeta(0.025, x1, x2 + 1)
	list(lo = lo / (1 - lo) * i$t1 / i$t2,
		hi = (1 - rest) / rest * i$t1 / i$t2)
}

zero_bound <- function(i)
	list(upper = poisson.test(0, i$exposure, alternative = "less",
		conf.level = i$level)$conf.int[2])

arms <- function(i)
	data.frame(y = c(i$a, i$b), t = c(i$a_exposure, i$b_exposure),
		arm = factor(rep(1:2, c(length(i$a), length(i$b)))))

quasi_poisson <- function(i) {
	fit <- glm(y ~ arm + offset(log(t)), family = quasipoisson,
		data = arms(i), control = precise)
	# summary() takes the weights of the last step but one.
	phi <- sum(residuals(fit, "pearson")^2) / fit$df.residual
	c(log_normal(fit, qt(0.975, fit$df.residual), phi), phi = phi)
}

negative_binomial <- function(i) {
	fit <- glm.nb(y ~ arm + offset(log(t)), data = arms(i),
		control = precise)
	lapply(c(log_normal(fit, qnorm(0.975), 1), theta = fit$theta), fitted_to)
}

gmean <- function(i) list(value = exp(mean(log(i$x))))

# ---- arrangements ----

enumerated_flips <- function(d) {
	n <- length(d)
	signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), n)))
	sums <- abs(signs %*% d)
	mean(sums >= abs(sum(d)) * (1 - 1e-12))
}

# Too many to enumerate: as many draws of R's own.
drawn_flips <- function(d, draws) {
	sums <- replicate(draws, abs(sum(sample(c(-1, 1), length(d), TRUE) *
		d)))
	p <- mean(sums >= abs(sum(d)) * (1 - 1e-12))
	drawn(p, draws / 2)
}

sign_flip <- function(i) {
	d <- i$b - i$a
	n <- length(d)
	if (any(d != round(d)))
		return(list(p = if (n <= 16) enumerated_flips(d) else
			drawn_flips(d, i$draws)))
	if (n == 1 || all(d == 0))
		return(list(p = 1))
	data <- data.frame(y = c(i$a, i$b), arm = factor(rep(1:2, each = n)),
		block = factor(rep(1:n, 2)))
	test <- oneway_test(y ~ arm | block, data = data,
		distribution = exact(algorithm = "shift"))
	p <- as.numeric(pvalue(test))
	list(p = if (n <= 16) p else drawn(p, i$draws))
}

orders <- function(n) {
	if (n == 1)
		return(matrix(1))
	less <- orders(n - 1)
	do.call(rbind, lapply(1:n, function(k)
		cbind(k, ifelse(less >= k, less + 1, less))))
}

autocorrelation <- function(i) {
	groups <- split(i$x, i$groups)
	centred <- lapply(groups, function(x) x - mean(x))
	squares <- sum(unlist(centred)^2)
	lag <- function(x) sum(head(x, -1) * tail(x, -1))
	r <- sum(sapply(groups, function(x) if (length(x) < 2) 0 else
		length(x) * acf(x, 1, "covariance", plot = FALSE)$acf[2]))
	# The sum over groups for all combinations of their orders.
	all_sums <- 0
	for (x in centred) {
		own <- apply(orders(length(x)), 1, function(o) lag(x[o]))
		all_sums <- as.vector(outer(all_sums, own, "+"))
	}
	expected <- mean(all_sums)
	p <- mean(abs(all_sums - expected) >=
		abs(r - expected) - 1e-12 * squares)
	list(r = r / squares, expected = expected / squares,
		p = drawn(p, i$draws))
}

# ---- comparisons and designs ----

paired_t <- function(i) {
	n <- length(i$a)
	t <- qt(0.975, n - 1)
	test <- t.test(i$b, i$a, paired = TRUE)
	ratio <- fieller(list(a = mean(i$a), b = mean(i$b), t = t,
		var_a = var(i$a) / n, var_b = var(i$b) / n,
		cov = cov(i$a, i$b) / n))
	list(diff = test$estimate, lo = test$conf.int[1],
		hi = test$conf.int[2], p_change = test$p.value,
		# What is never negative cannot fall by more than all of it.
		pct_lo = 100 * (max(ratio$lo, if (min(i$a, i$b) >= 0) 0) - 1),
		pct_hi = 100 * (ratio$hi - 1),
		permutation = sign_flip(i)$p)
}

welch <- function(i) {
	test <- t.test(i$b, i$a)
	list(diff = mean(i$b) - mean(i$a), lo = test$conf.int[1],
		hi = test$conf.int[2])
}

# Sums of squares of a model less those of the next larger one, set equal to
# what they are on average: traces of the projections.
components <- function(i) {
	data <- data.frame(y = i$value, variant = factor(i$variant),
		block = factor(i$block), boot = factor(i$boot))
	onto <- function(formula) {
		x <- model.matrix(formula, data)
		q <- qr(x)
		basis <- qr.Q(q)[, seq_len(q$rank), drop = FALSE]
		basis %*% t(basis)
	}
	h <- list(onto(~ variant), onto(~ variant + block), onto(~ boot),
		diag(nrow(data)))
	z_block <- model.matrix(~ block - 1, data)
	z_boot <- model.matrix(~ boot - 1, data)
	squares <- sizes <- NULL
	for (k in 1:3) {
		part <- h[[k + 1]] - h[[k]]
		trace_of <- function(z) sum(z * (part %*% z))
		squares <- c(squares, sum(data$y * (part %*% data$y)))
		sizes <- rbind(sizes, c(trace_of(z_block), trace_of(z_boot),
			sum(diag(part))))
	}
	v <- solve(sizes, squares)
	out <- list(block = v[1], boot = v[2], run = v[3])
	if (i$uneven || min(v) < 0.01)
		return(out)
	fit <- lmer(y ~ variant + (1 | block) + (1 | boot), data,
		control = lmerControl(optimizer = "bobyqa",
			optCtrl = list(rhoend = 1e-10)))
	reml <- as.data.frame(VarCorr(fit))
	value <- function(group) fitted_to(reml$vcov[reml$grp == group])
	c(out, list(reml_run = value("Residual"), reml_boot = value("boot"),
		reml_block = value("block")))
}

pairs_power <- function(i) {
	alpha <- 1 - i$level
	list(power = power.t.test(n = i$pairs, delta = i$ratio, sd = 1,
			sig.level = alpha, type = "paired")$power,
		detectable = power.t.test(n = i$pairs, power = 0.8, sd = 1,
			sig.level = alpha, type = "paired", tol = 1e-12)$delta)
}

rates_power <- function(i) {
	power <- function(l2, t)
		pnorm(abs(i$l1 - l2) / sqrt(i$phi * (i$l1 + l2) / t) -
			qnorm(0.975))
	needed <- uniroot(function(t) power(i$l2, t) - 0.8, c(1e-3, 1e6),
		tol = 1e-9)$root
	drop <- uniroot(function(d) power(i$l1 * (1 - d), i$exposure) - 0.8,
		c(1e-6, 2), tol = 1e-13)$root
	list(needed = needed, power = power(i$l2, i$exposure),
		detectable = drop)
}

answers <- list("mann-whitney" = mann_whitney, "signed-rank" = signed_rank,
	shift = shift, "paired-shift" = paired_shift, quantile = quantile_of,
	bca = bca, adjust = adjust, tost = tost, fieller = fieller,
	pairs = pairs, rates = rates, "rates-phi" = rates_phi,
	"zero-bound" = zero_bound, "quasi-poisson" = quasi_poisson,
	"negative-binomial" = negative_binomial, gmean = gmean,
	"sign-flip" = sign_flip, autocorrelation = autocorrelation,
	"paired-t" = paired_t, welch = welch, components = components,
	"pairs-power" = pairs_power, "rates-power" = rates_power)

# ---- reading and comparing ----

agree <- function(got, want) {
	within <- attr(want, "within")
	want <- as.numeric(want)
	if (is.na(got) || is.na(want))
		return(is.na(got) && is.na(want))
	if (is.infinite(got) || is.infinite(want))
		return(got == want)
	if (is.null(within))
		within <- tolerance * abs(want)
	abs(got - want) <= within + tiny
}

failed <- 0
count <- list()

check <- function(kind, input, output, line) {
	answer <- answers[[kind]]
	wants <- if (is.null(answer)) list() else answer(input)
	for (name in names(output)) {
		want <- wants[[name]]
		count[[kind]] <<- sum(count[[kind]], 1)
		if (!is.null(want) && agree(output[[name]], want))
			next
		failed <<- failed + 1
		cat(sprintf("line %d: %s %s: %.17g, R says %s\n", line, kind,
			name, output[[name]],
			if (is.null(want)) "nothing" else
				sprintf("%.17g", as.numeric(want))))
	}
}

lines <- strsplit(readLines(commandArgs(TRUE)[1]), " ", fixed = TRUE)
for (at in seq_along(lines)) {
	words <- lines[[at]]
	numbers <- function() as.numeric(words[-(1:2)])
	if (words[1] == "case") {
		kind <- words[2]
		input <- output <- list()
		begin <- at
	} else if (words[1] == "in") {
		input[[words[2]]] <- numbers()
	} else if (words[1] == "out") {
		output[[words[2]]] <- numbers()
	} else if (words[1] == "end") {
		check(kind, input, output, begin)
	}
}

for (kind in names(count))
	cat(sprintf("%-18s %5d\n", kind, count[[kind]]))
total <- sum(unlist(count))
cat(sprintf("oracle: %d answers compared with R %s, %d differ\n", total,
	getRversion(), failed))
quit(status = if (failed > 0 || total == 0) 1 else 0)
