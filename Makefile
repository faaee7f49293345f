# SPDX-License-Identifier: GPL-3.0-or-later
# abrig: see README.md.  Objects go to $(O); nothing is written beside sources.

O	?= build
CC	?= cc
PREFIX	?= /usr/local
DESTDIR	?=
VERSION	:= 0.1.0

# Sanitizers get a tree of their own: make asan, or make SAN=1 GOAL.
ifdef SAN
override O := $(O)-asan
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all \
	    -fno-omit-frame-pointer
endif

# So do libFuzzer programs: make fuzz.
ifdef FUZZING
override O := $(O)-fuzz
override CC := clang
SANFLAGS := -fsanitize=fuzzer-no-link,address,undefined \
	    -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

PKGS	:= glib-2.0 gio-2.0 json-glib-1.0 yaml-0.1 sqlite3 gsl zlib libzstd \
	   libcurl \
	   libtracecmd libtraceevent
# Asked for once per make, and only by goals that compile.
PKG_CFLAGS = $(eval PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $(shell pkg-config --libs $(PKGS)))$(PKG_LIBS)

WARN	:= -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	   -Wpointer-arith -Wvla -Wformat=2 -Wundef -Werror
CFLAGS	?= -O2 -g
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -DAB_VERSION='"$(VERSION)"' \
	     -DAB_DATADIR='"$(PREFIX)/share/abrig"' -Iinclude $(PKG_CFLAGS) \
	     $(WARN) $(CFLAGS) $(SANFLAGS)
ALL_LIBS = $(SANFLAGS) $(PKG_LIBS) -lm -pthread

comma	:= ,
objs	= $(patsubst %.c,$(O)/obj/%.o,$(1))

LIB_SRC	:= $(wildcard harness/*/*.c)
LIB_SRC := $(filter-out harness/agent/% harness/cmd/%,$(LIB_SRC))
CMD_SRC	:= harness/main.c $(wildcard harness/cmd/*.c)
VP_SRC	:= $(wildcard tests/vphone/*.c)
VPCMD_SRC := $(wildcard tests/vphone/client/*.c)
MKBOOT_SRC := $(wildcard tests/vphone/mkboot/*.c)
UNIT_SRC := $(wildcard tests/unit/test-*.c)
BENCH_SRC := $(wildcard tests/bench/*.c)
GEN_SRC	:= $(wildcard tests/bench/gen/*.c)
FUZZ_SRC := $(wildcard tests/fuzz/*.c)
ORACLE_SRC := $(wildcard tests/oracle/*.c)
HELPER_SRC := $(wildcard tests/unit/helper-*.c)
# Whole campaigns take longest: they begin first.
E2E	:= $(wildcard tests/e2e/4*.sh)
E2E	+= $(filter-out $(E2E),$(wildcard tests/e2e/[0-9]*.sh))
SCRIPTS	:= bootstrap .ci/run $(wildcard tests/*.sh tests/run tests/*/*.sh) \
	   $(wildcard reports/html/*.sh)

# Files of report.html, in the program.  Without Debian's libjs-vega it has no
# charts; the directory is another one then, so that they come with the package.
VEGA	?= /usr/share/javascript/vega
VEGA_JS	:= $(wildcard $(VEGA)/vega-view.min.js)
HTML	:= $(O)/html-$(if $(VEGA_JS),charts,tables)
# The stand-in's own tests need no sanitizers, nor does the rest test less
# without 43-aa.sh, which is a campaign like others; test-aa has what is its own.
SAN_E2E	= $(filter-out tests/e2e/1% %/43-aa.sh,$(E2E))
LIB	:= $(O)/libabrig.a
UNITS	:= $(patsubst tests/unit/%.c,$(O)/unit/%,$(UNIT_SRC))
# What benchmarks, and a test of large traces, are made with.
MADE_WITH = $(filter-out %/main.o,$(call objs,$(GEN_SRC) $(VP_SRC)))
FUZZERS	:= $(patsubst tests/fuzz/%.c,$(O)/fuzz/%,$(wildcard tests/fuzz/fuzz-*.c))
BENCHES	:= $(patsubst tests/bench/%.c,$(O)/bench/%,$(BENCH_SRC))
STANDINS := $(O)/vphone $(O)/vphone-cmd $(O)/mkboot
ALL_SRC	:= $(LIB_SRC) $(CMD_SRC) $(VP_SRC) $(VPCMD_SRC) $(MKBOOT_SRC) \
	   $(UNIT_SRC) $(HELPER_SRC) $(BENCH_SRC) $(FUZZ_SRC) $(GEN_SRC) \
	   $(ORACLE_SRC)
FORMATTED = $(ALL_SRC) \
	$(wildcard include/abrig/*.h harness/*/*.h tests/*/*.h tests/*/*/*.h)
# Bounds the analyzer's time per function; TIDY_DEPTH= looks deeper, for long.
TIDY_DEPTH := -Xclang -analyzer-config -Xclang max-nodes=20000

.PHONY: all demo check check-oracle unit e2e bench lint asan fuzz fuzzed \
	install man clean format
all: $(O)/abrig

# One line per file; V=1 shows the commands.
ifeq ($(V),1)
say	= $(2)
else
say	= @echo "  $(1)  $@"; $(2)
endif

$(O)/abrig: $(call objs,$(CMD_SRC)) $(LIB)
	$(call say,LD,$(CC) -o $@ $^ $(ALL_LIBS))
$(LIB): $(call objs,$(LIB_SRC)) $(HTML)/assets.o
	@rm -f $@
	$(call say,AR,ar rcs $@ $^)
$(HTML)/vega.js: reports/html/bundle.sh
	@mkdir -p $(@D)
	$(call say,GEN,$(if $(VEGA_JS),$< $(VEGA) >$@.tmp && mv $@.tmp,touch) $@)
$(HTML)/assets.o: reports/html/assets.S $(wildcard reports/html/*.*) \
		$(HTML)/vega.js
	@mkdir -p $(@D)
	$(call say,AS,$(CC) -c -Wa$(comma)-Ireports/html -Wa$(comma)-I$(HTML) -o $@ $<)
$(O)/vphone: $(call objs,$(VP_SRC))
	$(call say,LD,$(CC) -o $@ $^ $(ALL_LIBS))
$(O)/mkboot: $(call objs,$(MKBOOT_SRC))
	$(call say,LD,$(CC) -o $@ $^ $(ALL_LIBS))
# Runs inside the phone's private root, where there are no libraries.
$(O)/vphone-cmd: $(VPCMD_SRC)
	@mkdir -p $(@D)
	$(call say,LD,$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -static -o $@ $^)
$(O)/unit/%: $(O)/obj/tests/unit/%.o $(call objs,$(HELPER_SRC)) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$(CC) -o $@ $^ $(ALL_LIBS))
$(O)/unit/test-trace-planted: $(MADE_WITH)
$(O)/bench/%: $(O)/obj/tests/bench/%.o $(MADE_WITH) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$(CC) -o $@ $^ $(ALL_LIBS))
$(O)/oracle: $(call objs,$(ORACLE_SRC)) $(LIB)
	$(call say,LD,$(CC) -o $@ $^ $(ALL_LIBS))
$(O)/fuzz/%: $(O)/obj/tests/fuzz/%.o $(O)/obj/tests/fuzz/init.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$(CC) -fsanitize=fuzzer -o $@ $^ $(ALL_LIBS))
$(O)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<)
-include $(patsubst %.c,$(O)/obj/%.d,$(ALL_SRC))
# Kept, but not forgotten: a new source makes a new library.
.PRECIOUS: $(O)/obj/%.o

demo: $(O)/abrig $(STANDINS)
	O=$(O) tests/e2e/demo.sh

check: $(O)/abrig $(STANDINS) $(UNITS) $(BENCHES)
	O=$(O) tests/run $(E2E) $(UNITS)
# Statistics against R; without R it says so.
check-oracle: $(O)/oracle
	O=$(O) tests/oracle/run.sh
unit: $(UNITS)
	O=$(O) tests/run $(UNITS)
e2e: $(O)/abrig $(STANDINS) $(BENCHES)
	O=$(O) tests/run $(E2E)
asan:
	TEST_TIMEOUT=900 $(MAKE) SAN=1 CFLAGS="-O1 -g" E2E="$(SAN_E2E)" check
bench: $(O)/abrig $(STANDINS) $(BENCHES)
	O=$(O) tests/bench/run.sh
# FUZZ="fuzz-trace-perfetto ..." FUZZ_SECONDS=600: some of them, for long.
fuzz:
	$(MAKE) FUZZING=1 CFLAGS="-O1 -g" fuzzed
fuzzed: $(if $(FUZZ),$(addprefix $(O)/fuzz/,$(FUZZ)),$(FUZZERS))
	O=$(O) FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run.sh $^

lint:
	clang-format --dry-run -Werror $(FORMATTED)
	@mkdir -p $(O)/lint
	@printf '%s\n' $(patsubst -Iinclude,-I$(CURDIR)/include,$(filter-out \
		-Werror,$(ALL_CFLAGS))) $(TIDY_DEPTH) >$(O)/lint/compile_flags.txt
	printf '%s\n' $(ALL_SRC) | xargs -P 2 -n 4 \
		clang-tidy --quiet --warnings-as-errors='*' -p $(O)/lint \
		2>$(O)/lint/log || { tail -n 20 $(O)/lint/log >&2; exit 1; }
	cppcheck --quiet --error-exitcode=1 --inline-suppr -j 2 \
		--enable=warning,portability,performance \
		--suppressions-list=.cppcheck --library=gtk -Iinclude \
		harness tests
	shellcheck $(SCRIPTS)
format:
	clang-format -i $(FORMATTED)

man: $(O)/abrig
	$(O)/abrig help --man plan >docs/man/abrig-plan.5

install: $(O)/abrig
	install -D -m 755 $(O)/abrig $(DESTDIR)$(PREFIX)/bin/abrig
	install -d $(DESTDIR)$(PREFIX)/share/abrig/scenarios \
		$(DESTDIR)$(PREFIX)/share/abrig/kernels
	install -m 644 scenarios/*.yaml $(DESTDIR)$(PREFIX)/share/abrig/scenarios
	install -m 644 kernels/*.yaml $(DESTDIR)$(PREFIX)/share/abrig/kernels
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 docs/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -D -m 644 docs/man/abrig-plan.5 \
		$(DESTDIR)$(PREFIX)/share/man/man5/abrig-plan.5
	install -D -m 644 docs/abrig.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/abrig

clean:
	rm -rf $(O) $(O)-asan $(O)-fuzz
